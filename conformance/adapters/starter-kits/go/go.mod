module example.com/dsh-adapter

go 1.19
