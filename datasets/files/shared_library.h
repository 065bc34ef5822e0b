// A system library that is opened when it is first needed. Otherwise the libraries that only `data
// get` uses, about forty, would cost every command a third of its start.
#pragma once

#include <string>

namespace rethink {

class SharedLibrary {
 public:
  /// Opens the library `name`, as the loader knows it ("libcurl.so.4"), of Debian's `package`. It
  /// stays open until the program ends. Throws MachineError if it is not installed.
  SharedLibrary(const std::string& name, const std::string& package);

  /// Converts to a pointer to any function; only the library's header knows its type.
  struct Symbol {
    void* address;
    template <typename Function>
    operator Function*() const {
      return reinterpret_cast<Function*>(address);
    }
  };
  /// Throws MachineError when the library has no such function.
  Symbol operator[](const char* name) const;

 private:
  std::string name_;
  void* handle_;
};

}  // namespace rethink
