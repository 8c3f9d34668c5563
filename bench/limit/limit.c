/*
 * key, count, sum, ordered by key, by hand: what this machine can do on the shapes seed, few (int64 keys) and dense
 * (int32 keys), for an engine to be held against. It knows more than an engine may: that there is one key, no null and no
 * sum that overflows. Each thread folds its share of the rows into a table of its own; one thread merges and sorts.
 *
 *   limit dense|hash THREADS ROWS KEYS VALUES
 *
 * KEYS and VALUES are files of int32 or int64 keys and of int64 values. A line "run" on standard input runs once and is
 * answered with "done"; a line "write PATH" writes the last answer as int64 key, count, sum of each group.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int64_t key, count, sum;
} group;

typedef struct {
  group *groups;
  size_t size, used, taken;
  int shift;
  size_t from, to;
} table;

enum { MOST_THREADS = 64, FIRST_BITS = 10 };

static size_t rows;
static int threads;
static void *keys;
static int64_t *values;
static int32_t least, most;
static table tables[MOST_THREADS];
static group *answer, *spare;
static size_t answered, room;

static void fail(const char *why) {
  fprintf(stderr, "limit: %s\n", why);
  exit(1);
}

/* The table keeps its memory from run to run, as an engine that is warm does. */
static void clear(table *t, size_t size) {
  if (size > t->size) {
    free(t->groups);
    t->groups = malloc(size * sizeof(group));
    if (!t->groups) fail("got no memory");
    t->size = size;
  }
  t->used = size;
  memset(t->groups, 0, size * sizeof(group));
}

static size_t slot(const table *t, int64_t key) {
  uint64_t h = (uint64_t)key * 0x9E3779B97F4A7C15u;
  return (h ^ (h >> 32)) * 0xD6E8FEB86659FD93u >> t->shift;
}

static void add(table *t, int64_t key, int64_t count, int64_t sum);

/* Twice the slots, when half are taken. */
static void grow(table *t) {
  table from = *t;
  t->groups = NULL;
  t->size = 0;
  t->taken = 0;
  t->shift--;
  clear(t, from.used * 2);
  for (size_t i = 0; i < from.used; i++)
    if (from.groups[i].count) add(t, from.groups[i].key, from.groups[i].count, from.groups[i].sum);
  free(from.groups);
}

static inline void add(table *t, int64_t key, int64_t count, int64_t sum) {
  size_t mask = t->used - 1;
  for (size_t i = slot(t, key);; i = (i + 1) & mask) {
    group *g = t->groups + i;
    if (g->count && g->key != key) continue;
    if (!g->count) {
      g->key = key;
      t->taken++;
    }
    g->count += count;
    g->sum += sum;
    break;
  }
  if (t->taken * 2 > t->used) grow(t);
}

static void *fold_hash(void *given) {
  table *t = given;
  const int64_t *k = keys;
  /* of the size that the last run grew it to */
  size_t size = t->size ? t->size : (size_t)1 << FIRST_BITS;
  clear(t, size);
  t->taken = 0;
  t->shift = 64 - __builtin_ctzll(size);
  for (size_t i = t->from; i < t->to; i++) add(t, k[i], 1, values[i]);
  return NULL;
}

static void *fold_dense(void *given) {
  table *t = given;
  const int32_t *k = keys;
  clear(t, (size_t)((int64_t)most - least + 1));
  for (size_t i = t->from; i < t->to; i++) {
    group *g = t->groups + (k[i] - (int64_t)least);
    g->count++;
    g->sum += values[i];
  }
  return NULL;
}

static void emit(group g) {
  if (answered == room) {
    room = room ? room * 2 : 1024;
    answer = realloc(answer, room * sizeof(group));
    spare = realloc(spare, room * sizeof(group));
    if (!answer || !spare) fail("got no memory");
  }
  answer[answered++] = g;
}

/* By bytes of the key, the lowest first; the sign bit turned, so that negative keys come first. */
static void sort(void) {
  for (int byte = 0; byte < 8; byte++) {
    size_t starts[257] = {0};
    for (size_t i = 0; i < answered; i++) starts[(((uint64_t)answer[i].key ^ 1ull << 63) >> 8 * byte & 255) + 1]++;
    for (int b = 0; b < 256; b++) starts[b + 1] += starts[b];
    for (size_t i = 0; i < answered; i++)
      spare[starts[((uint64_t)answer[i].key ^ 1ull << 63) >> 8 * byte & 255]++] = answer[i];
    group *swap = answer;
    answer = spare;
    spare = swap;
  }
}

static void run(int dense) {
  pthread_t others[MOST_THREADS];
  void *(*fold)(void *) = dense ? fold_dense : fold_hash;
  if (dense) {
    const int32_t *k = keys;
    least = INT32_MAX;
    most = INT32_MIN;
    for (size_t i = 0; i < rows; i++) {
      least = k[i] < least ? k[i] : least;
      most = k[i] > most ? k[i] : most;
    }
  }
  for (int t = 0; t < threads; t++) {
    tables[t].from = rows * t / threads;
    tables[t].to = rows * (t + 1) / threads;
    if (t > 0 && pthread_create(&others[t], NULL, fold, &tables[t])) fail("got no thread");
  }
  fold(&tables[0]);
  for (int t = 1; t < threads; t++) {
    pthread_join(others[t], NULL);
    for (size_t i = 0; i < tables[t].used; i++) {
      group g = tables[t].groups[i];
      if (!g.count) continue;
      if (!dense) add(&tables[0], g.key, g.count, g.sum);
      else {
        tables[0].groups[i].count += g.count;
        tables[0].groups[i].sum += g.sum;
      }
    }
  }
  answered = 0;
  for (size_t i = 0; i < tables[0].used; i++) {
    group g = tables[0].groups[i];
    if (dense) g.key = least + (int64_t)i;
    if (g.count) emit(g);
  }
  if (!dense) sort();
}

static void *read_file(const char *path, size_t bytes) {
  FILE *file = fopen(path, "rb");
  void *memory = malloc(bytes + 1);
  if (!file || !memory || fread(memory, 1, bytes, file) != bytes) fail("got a file that cannot be read");
  fclose(file);
  return memory;
}

int main(int count, char **given) {
  if (count != 6) fail("wanted dense|hash THREADS ROWS KEYS VALUES");
  int dense = !strcmp(given[1], "dense");
  threads = atoi(given[2]);
  rows = strtoull(given[3], NULL, 10);
  if (threads < 1 || threads > MOST_THREADS || rows < 1) fail("wanted 1 to 64 threads and some rows");
  keys = read_file(given[4], rows * (dense ? 4 : 8));
  values = read_file(given[5], rows * 8);
  char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (!strcmp(line, "run")) run(dense);
    else if (!strncmp(line, "write ", 6)) {
      FILE *file = fopen(line + 6, "wb");
      if (!file || fwrite(answer, sizeof(group), answered, file) != answered) fail("got a file that cannot be written");
      fclose(file);
    }
    puts("done");
    fflush(stdout);
  }
  return 0;
}
