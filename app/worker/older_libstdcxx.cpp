// std::condition_variable::wait, by the older of the two versions that libstdc++ has of it: ICU, which is linked into the
// worker, would take the newer one (GLIBCXX_3.4.30), and the worker would not start beside the libstdc++ of RHEL 9.
// The linker sends calls of the function here (--wrap in app/CMakeLists.txt).
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
