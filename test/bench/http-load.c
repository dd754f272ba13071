/*
 * Posts the same request again and again, on connections that are open before anything is measured.
 *
 *   http-load HOST PORT CONNECTIONS FILE [INTERVAL_US]
 *
 * It looks for answers every INTERVAL_US, or as they come with 0: where it has a core of its own, it takes nothing from what is
 * measured.
 *
 * FILE has the request, head and body. It prints "ready" once all connections are open, reads a line "MILLISECONDS RATE" from
 * standard input, and prints a line for each answer: its status, the microseconds that it took, and those until then
 * since the start. RATE is requests a second, whatever becomes of them; 0 sends as soon as there is an answer. What is due
 * while no connection is free waits for one, and that counts. A connection that fails ends the program; one that the server
 * closes after its answer is opened again.
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

/* Looking for answers more often would take the processor from what is measured. */
enum { DEFAULT_INTERVAL_US = 2000, MAX_ANSWER_BYTES = 4096, MAX_REQUESTS = 1 << 22 };

struct connection {
  int socket;
  int64_t started;
  size_t sent;
  size_t received;
  char answer[MAX_ANSWER_BYTES + 1];
};

static struct { char *bytes; size_t length; } request;
static struct connection **idle;
static size_t idle_count;
/* By number of the request: when those were due that no connection was free for. */
static int64_t waiting[MAX_REQUESTS];
static size_t waiting_from, waiting_to;
static struct { int status; int64_t duration, ended; } answers[MAX_REQUESTS];
static size_t answer_count;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

static int open_connection(const struct addrinfo *address) {
  int on = 1, buffer = 1 << 18;
  int opened = socket(address->ai_family, SOCK_STREAM, 0);
  if (opened < 0) err(1, "socket");
  setsockopt(opened, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
  setsockopt(opened, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(opened, address->ai_addr, address->ai_addrlen) != 0) err(1, "connect");
  fcntl(opened, F_SETFL, O_NONBLOCK);
  return opened;
}

/* Has the server begun with each connection. */
static void ask_for_health(int connection) {
  static const char health[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
  char answer[MAX_ANSWER_BYTES];
  struct pollfd readable = {.fd = connection, .events = POLLIN};
  if (write(connection, health, sizeof health - 1) < 0 || poll(&readable, 1, -1) < 0) err(1, "healthz");
  if (read(connection, answer, sizeof answer) <= 0) err(1, "healthz");
}

static void watch(int events, struct connection *connection) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = connection};
  epoll_ctl(events, EPOLL_CTL_ADD, connection->socket, &event);
}

static void write_request(struct connection *connection) {
  while (connection->sent < request.length) {
    ssize_t count = write(connection->socket, request.bytes + connection->sent, request.length - connection->sent);
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) err(1, "write");
    connection->sent += count;
  }
}

static void begin(struct connection *connection, int64_t due) {
  connection->started = due;
  connection->sent = connection->received = 0;
  write_request(connection);
}

/* Whether the answer is complete. Those of this service have a Content-Length or no body. */
static bool read_answer(struct connection *connection) {
  char *answer = connection->answer;
  ssize_t count = read(connection->socket, answer + connection->received, MAX_ANSWER_BYTES - connection->received);
  if (count < 0 && errno == EAGAIN) return false;
  if (count <= 0) err(1, "read");
  connection->received += count;
  answer[connection->received] = 0;
  const char *end = strstr(answer, "\r\n\r\n");
  if (end == NULL) return false;
  const char *length = strcasestr(answer, "\r\ncontent-length:");
  size_t body = length != NULL && length < end ? strtoul(length + strlen("\r\ncontent-length:"), NULL, 10) : 0;
  return connection->received >= end + strlen("\r\n\r\n") - answer + body;
}

int main(int argc, char **argv) {
  if (argc < 5) errx(1, "usage: http-load HOST PORT CONNECTIONS FILE [INTERVAL_US]");
  unsigned long interval = argc > 5 ? strtoul(argv[5], NULL, 10) : DEFAULT_INTERVAL_US;
  struct addrinfo *address, hints = {.ai_socktype = SOCK_STREAM};
  if (getaddrinfo(argv[1], argv[2], &hints, &address) != 0) errx(1, "%s: not found", argv[1]);
  size_t count = strtoul(argv[3], NULL, 10);
  FILE *file = fopen(argv[4], "r");
  if (file == NULL) err(1, "%s", argv[4]);
  fseek(file, 0, SEEK_END);
  request.length = ftell(file);
  request.bytes = malloc(request.length);
  rewind(file);
  if (fread(request.bytes, 1, request.length, file) < request.length) err(1, "%s", argv[4]);

  int polled = epoll_create1(0);
  struct connection *connections = calloc(count, sizeof *connections);
  struct epoll_event *events = calloc(count, sizeof *events);
  idle = calloc(count, sizeof *idle);
  for (struct connection *each = connections; each < connections + count; each++) {
    each->socket = open_connection(address);
    ask_for_health(each->socket);
    each->sent = request.length;
    watch(polled, each);
    idle[idle_count++] = each;
  }
  puts("ready");
  fflush(stdout);

  double milliseconds, rate;
  if (scanf("%lf %lf", &milliseconds, &rate) != 2) errx(1, "expected MILLISECONDS RATE");
  int64_t started = now();
  int64_t end = started + milliseconds * 1000;
  size_t total = rate > 0 ? rate * milliseconds / 1000 : MAX_REQUESTS;
  if (total > MAX_REQUESTS) errx(1, "more than %d requests", MAX_REQUESTS);
  for (size_t begun = 0;;) {
    int64_t time = now();
    /* Without a rate a request is due for each connection that is free. */
    size_t due = rate > 0 ? 1 + (time - started) * rate / 1e6 : time < end ? begun + idle_count : begun;
    if (due > total) due = total;
    for (; begun < due; begun++) {
      if (idle_count > 0) begin(idle[--idle_count], time);
      else waiting[waiting_to++] = time;
    }
    if (answer_count == begun && (rate > 0 ? begun == total : time >= end)) break;
    if (interval > 0) usleep(interval);
    for (int left = epoll_wait(polled, events, count, interval > 0 ? 0 : 1); left > 0; left--) {
      struct connection *connection = events[left - 1].data.ptr;
      if (connection->sent < request.length) write_request(connection);
      if (!(events[left - 1].events & ~EPOLLOUT) || !read_answer(connection)) continue;
      time = now();
      answers[answer_count].status = atoi(connection->answer + strlen("HTTP/1.1 "));
      answers[answer_count].duration = time - connection->started;
      answers[answer_count++].ended = time - started;
      if (strcasestr(connection->answer, "\r\nconnection: close") != NULL) {
        close(connection->socket);
        connection->socket = open_connection(address);
        watch(polled, connection);
      }
      if (waiting_from < waiting_to) begin(connection, waiting[waiting_from++]);
      else idle[idle_count++] = connection;
    }
  }
  for (size_t i = 0; i < answer_count; i++)
    printf("%d %lld %lld\n", answers[i].status, (long long)answers[i].duration, (long long)answers[i].ended);
  return 0;
}
