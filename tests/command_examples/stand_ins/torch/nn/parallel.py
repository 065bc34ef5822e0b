from anything import Anything as DistributedDataParallel
