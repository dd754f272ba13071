/*
 * Sends HTTP requests over connections that are opened before the measurement starts.
 *
 *   http-load HOST PORT CONNECTIONS FILE REQUESTS [INTERVAL_US]
 *
 * FILE contains REQUESTS raw requests of equal length, including their bodies. The program cycles through them. It
 * checks for responses every INTERVAL_US microseconds (default: 2000). If INTERVAL_US is 0, it handles responses as
 * they arrive, which only makes sense on a dedicated CPU core.
 *
 * After opening all connections, it prints "ready" and reads "MILLISECONDS RATE" from stdin. RATE is the number of
 * requests to send per second, without waiting for responses. If no connection is free, a request waits for one, and
 * the wait counts toward its response time. If RATE is 0, each connection sends its next request as soon as it receives
 * a response.
 *
 * At the end, it prints one line per response: the status, the response time, and the time since the start of the run,
 * both in microseconds. If a connection fails, the program exits. If the server closes a connection after a response,
 * the program opens a new one.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

/* Polling more often would use CPU time that the measured service needs. */
enum { DEFAULT_INTERVAL_US = 2000, MAX_RESPONSE_BYTES = 4096, MAX_REQUESTS = 1 << 22 };

struct connection {
  int fd;
  int64_t due_us;
  const char *request;
  size_t sent;
  size_t received;
  char response[MAX_RESPONSE_BYTES + 1];
};

static struct { char *bytes; size_t length, count, next; } requests;
static struct connection **idle;
static size_t idle_count;
/* Due times of the requests that had to wait for a free connection, in order. */
static int64_t waiting_us[MAX_REQUESTS];
static size_t waiting_head, waiting_tail;
static struct { int status; int64_t duration_us, ended_us; } responses[MAX_REQUESTS];
static size_t response_count;

static int64_t now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

static int open_socket(const struct addrinfo *address) {
  int on = 1, buffer_bytes = 1 << 18;
  int fd = socket(address->ai_family, SOCK_STREAM, 0);
  if (fd < 0) err(1, "socket");
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer_bytes, sizeof buffer_bytes);
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(fd, address->ai_addr, address->ai_addrlen) != 0) err(1, "connect");
  fcntl(fd, F_SETFL, O_NONBLOCK);
  return fd;
}

/* Ensures that the server has accepted the connection. */
static void check_health(int fd) {
  static const char request[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
  char response[MAX_RESPONSE_BYTES];
  struct pollfd readable = {.fd = fd, .events = POLLIN};
  if (write(fd, request, sizeof request - 1) < 0 || poll(&readable, 1, -1) < 0) err(1, "healthz");
  if (read(fd, response, sizeof response) <= 0) err(1, "healthz");
}

static void add_to_epoll(int epoll, struct connection *connection) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = connection};
  epoll_ctl(epoll, EPOLL_CTL_ADD, connection->fd, &event);
}

static void write_request(struct connection *connection) {
  while (connection->sent < requests.length) {
    ssize_t count = write(connection->fd, connection->request + connection->sent, requests.length - connection->sent);
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) err(1, "write");
    connection->sent += count;
  }
}

static void start_request(struct connection *connection, int64_t due_us) {
  connection->due_us = due_us;
  connection->request = requests.bytes + requests.next++ % requests.count * requests.length;
  connection->sent = connection->received = 0;
  write_request(connection);
}

/* Returns true once the response is complete. Every response with a body must have a Content-Length. */
static bool read_response(struct connection *connection) {
  char *response = connection->response;
  ssize_t count = read(connection->fd, response + connection->received, MAX_RESPONSE_BYTES - connection->received);
  if (count < 0 && errno == EAGAIN) return false;
  if (count <= 0) err(1, "read");
  connection->received += count;
  response[connection->received] = 0;
  const char *header_end = strstr(response, "\r\n\r\n");
  if (header_end == NULL) return false;
  const char *length = strcasestr(response, "\r\ncontent-length:");
  bool has_length = length != NULL && length < header_end;
  size_t body_bytes = has_length ? strtoul(length + strlen("\r\ncontent-length:"), NULL, 10) : 0;
  return connection->received >= header_end + strlen("\r\n\r\n") - response + body_bytes;
}

int main(int argc, char **argv) {
  if (argc < 6) errx(1, "usage: http-load HOST PORT CONNECTIONS FILE REQUESTS [INTERVAL_US]");
  unsigned long interval_us = argc > 6 ? strtoul(argv[6], NULL, 10) : DEFAULT_INTERVAL_US;
  struct addrinfo *address, hints = {.ai_socktype = SOCK_STREAM};
  if (getaddrinfo(argv[1], argv[2], &hints, &address) != 0) errx(1, "can't resolve %s", argv[1]);
  size_t connection_count = strtoul(argv[3], NULL, 10);
  FILE *file = fopen(argv[4], "r");
  if (file == NULL) err(1, "%s", argv[4]);
  fseek(file, 0, SEEK_END);
  size_t file_bytes = ftell(file);
  requests.count = strtoul(argv[5], NULL, 10);
  requests.length = file_bytes / requests.count;
  requests.bytes = malloc(file_bytes);
  rewind(file);
  if (fread(requests.bytes, 1, file_bytes, file) < file_bytes) err(1, "%s", argv[4]);

  int epoll = epoll_create1(0);
  struct connection *connections = calloc(connection_count, sizeof *connections);
  struct epoll_event *events = calloc(connection_count, sizeof *events);
  idle = calloc(connection_count, sizeof *idle);
  for (struct connection *connection = connections; connection < connections + connection_count; connection++) {
    connection->fd = open_socket(address);
    check_health(connection->fd);
    connection->sent = requests.length;
    add_to_epoll(epoll, connection);
    idle[idle_count++] = connection;
  }
  puts("ready");
  fflush(stdout);

  double milliseconds, rate;
  if (scanf("%lf %lf", &milliseconds, &rate) != 2) errx(1, "expected \"MILLISECONDS RATE\" on stdin");
  int64_t started_us = now_us();
  int64_t end_us = started_us + milliseconds * 1000;
  size_t total_count = rate > 0 ? rate * milliseconds / 1000 : MAX_REQUESTS;
  if (total_count > MAX_REQUESTS)
    errx(1, "a run can't have more than %d requests; reduce MILLISECONDS or RATE", MAX_REQUESTS);
  for (size_t started_count = 0;;) {
    int64_t time_us = now_us();
    /* If the rate is 0, every free connection sends a request until the end. */
    size_t due_count = rate > 0           ? 1 + (time_us - started_us) * rate / 1e6
                       : time_us < end_us ? started_count + idle_count
                                          : started_count;
    if (due_count > total_count) due_count = total_count;
    for (; started_count < due_count; started_count++) {
      if (idle_count > 0) start_request(idle[--idle_count], time_us);
      else waiting_us[waiting_tail++] = time_us;
    }
    if (response_count == started_count && (rate > 0 ? started_count == total_count : time_us >= end_us)) break;
    if (interval_us > 0) usleep(interval_us);
    int remaining = epoll_wait(epoll, events, connection_count, interval_us > 0 ? 0 : 1);
    for (; remaining > 0; remaining--) {
      struct connection *connection = events[remaining - 1].data.ptr;
      if (connection->sent < requests.length) write_request(connection);
      if (!(events[remaining - 1].events & ~EPOLLOUT) || !read_response(connection)) continue;
      time_us = now_us();
      responses[response_count].status = atoi(connection->response + strlen("HTTP/1.1 "));
      responses[response_count].duration_us = time_us - connection->due_us;
      responses[response_count++].ended_us = time_us - started_us;
      if (strcasestr(connection->response, "\r\nconnection: close") != NULL) {
        close(connection->fd);
        connection->fd = open_socket(address);
        add_to_epoll(epoll, connection);
      }
      if (waiting_head < waiting_tail) start_request(connection, waiting_us[waiting_head++]);
      else idle[idle_count++] = connection;
    }
  }
  for (size_t i = 0; i < response_count; i++) {
    long long duration_us = responses[i].duration_us, ended_us = responses[i].ended_us;
    printf("%d %lld %lld\n", responses[i].status, duration_us, ended_us);
  }
  return 0;
}
