// A library of the system that is opened when it is first needed: what only `data get` uses, with
// the forty libraries behind it, would otherwise cost every command a third of its start.
#pragma once

#include <string>

namespace rethink {

class SharedLibrary {
 public:
  /// Opens the library `name`, as the loader knows it ("libcurl.so.4"), of Debian's `package`. It
  /// stays open until the program ends. Throws MachineError if it is not installed.
  SharedLibrary(const std::string& name, const std::string& package);

  /// Converts to a pointer to any function: what type it has, only its header knows.
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
