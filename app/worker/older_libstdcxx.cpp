// std::condition_variable::wait in the older of libstdc++'s two versions. ICU, which is linked into
// the worker, would use the newer version (GLIBCXX_3.4.30), and the worker would not start with the
// libstdc++ of RHEL 9. The linker redirects calls of the function to this one (--wrap in
// app/CMakeLists.txt).
#define RETHINK_WAIT "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE"

extern "C" {
void older_wait(void* condition, void* lock);
__asm__(".symver older_wait, " RETHINK_WAIT "@GLIBCXX_3.4.11");

void wait_by_older_version(void* condition, void* lock) __asm__("__wrap_" RETHINK_WAIT);
void wait_by_older_version(void* condition, void* lock) {
  older_wait(condition, lock);
}
}

#undef RETHINK_WAIT
