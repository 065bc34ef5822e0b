#include "plots/table/table_kind.h"

namespace rethink {

TableKindRegistry& table_kinds() {
  static TableKindRegistry registry("table", "plots/table/kinds");
  return registry;
}

}  // namespace rethink
