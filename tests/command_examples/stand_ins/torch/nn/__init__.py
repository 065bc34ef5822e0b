from anything import Module, part as __getattr__

ModuleList, ModuleDict = list, dict
