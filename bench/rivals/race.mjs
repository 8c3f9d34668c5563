import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { summaryOf } from '../turns.mjs';

const OURS = 'rangefold';
/** Milliseconds of a run above which there are fewer. */
export const SLOW = 5_000;
const SLOW_TURNS = 3;
/** A Map of ten million groups, and the answer as JavaScript values, take more than Node gives by itself. */
const HEAP = 12_288;

/**
 * Ours and the rivals on one case, each in a process of its own with the rows in its own memory, one run at a time and in
 * turns. A rival that fails or answers otherwise has a `failure` and no times.
 * @param seconds of runs for a contestant whose run takes more than five; it has at most three, and one at least.
 */
export async function race(one, { rows, threads, turns, seconds, rivals }) {
  const folder = mkdtempSync(join(tmpdir(), 'rangefold-bench-'));
  const started = performance.now();
  const contestants = [];
  try {
    const shared = { name: one.name, rows, threads, path: join(folder, 'answer.arrow') };
    const names = one.rivals.filter((name) => rivals.includes(name.replace(/-.*/, '')));
    for (const rival of [OURS, ...names]) contestants.push(new Contestant(rival, shared));
    const [ours, ...others] = contestants;
    // loading is not timed, so all do it at once
    await Promise.all(contestants.map((each) => each.attempt(() => each.ready())));
    if (ours.failure !== undefined) throw new Error(ours.failure);
    const { groups, strategies } = await ours.ask('write');
    for (const each of others) if (each.failure === undefined) await each.attempt(() => each.ask('check'));
    const able = () => contestants.filter(({ failure }) => failure === undefined);
    for (const each of able()) await each.attempt(() => each.warmUp(turns, seconds));
    for (let turn = 0; turn < turns; turn++) {
      for (const each of able()) if (turn < each.turns) await each.attempt(() => each.run());
    }
    if (ours.failure !== undefined) throw new Error(ours.failure);
    for (const each of able()) await each.attempt(() => each.ask('close'));
    return {
      name: one.name,
      title: one.title,
      group: one.group,
      rows,
      groups,
      strategies,
      seconds: (performance.now() - started) / 1000,
      contestants: contestants.map((each) => each.result()),
    };
  } finally {
    for (const each of contestants) each.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

class Contestant {
  constructor(rival, shared) {
    this.rival = rival;
    this.described = { name: rival, timed: '' };
    this.failure = undefined;
    this.turns = 0;
    this.milliseconds = [];
    this.child = fork(
      fileURLToPath(new URL('contestant.mjs', import.meta.url)),
      [JSON.stringify({ ...shared, rival })],
      {
        execArgv: [`--max-old-space-size=${HEAP}`],
        env: { ...process.env, POLARS_MAX_THREADS: String(shared.threads) },
        serialization: 'advanced',
      },
    );
  }

  async ready() {
    this.described = await this.next();
  }

  ask(action) {
    const answer = this.next();
    this.child.send(action);
    return answer;
  }

  /** The next message, or the error that the process ended with. */
  next() {
    return new Promise((resolve, reject) => {
      const settle = (settled) => {
        this.child.off('message', message);
        this.child.off('exit', exit);
        settled();
      };
      const message = (came) =>
        settle(() => (came.failure === undefined ? resolve(came) : reject(new Error(came.failure))));
      const exit = (code, signal) => settle(() => reject(new Error(`got exit by ${signal ?? code}`)));
      this.child.on('message', message);
      this.child.on('exit', exit);
    });
  }

  async attempt(work) {
    try {
      await work();
    } catch (error) {
      this.failure = error.message;
      this.end();
    }
  }

  async warmUp(turns, seconds) {
    const { milliseconds } = await this.ask('warm');
    const slow = Math.max(1, Math.min(SLOW_TURNS, turns, Math.floor((seconds * 1000) / milliseconds)));
    this.turns = milliseconds > SLOW ? slow : turns;
  }

  async run() {
    const { milliseconds } = await this.ask('run');
    this.milliseconds.push(milliseconds);
  }

  end() {
    if (this.child.exitCode === null) this.child.kill();
  }

  result() {
    const { rival, described, failure, milliseconds } = this;
    return failure === undefined
      ? { rival, ...described, milliseconds: summaryOf(milliseconds) }
      : { rival, ...described, failure };
  }
}
