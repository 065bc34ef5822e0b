# The demo on a bare Debian 12: docker build -t rethink . && docker run --rm rethink
# The image has the programs; `make demo` trains, is killed, resumes and prints a table.
FROM debian:12
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git make
COPY . /rethink
WORKDIR /rethink
RUN make programs
CMD ["make", "demo"]
