from anything import part as __getattr__
