import { AdmissionControl } from './admission.js';

const KIB = 1_024;
const BODY = 30 * KIB;

/** Something that does one piece of work after the other, at so many bytes a millisecond, on a clock of its own. */
class Simulation {
  rate: number;
  now = 0;
  admitted = 0;
  refused = 0;
  /** Milliseconds that each finished piece took, in order. */
  readonly durations: number[] = [];
  private readonly queue: { at: number }[] = [];
  private done = 0;
  readonly control: AdmissionControl;

  constructor(rate: number) {
    this.rate = rate;
    this.control = new AdmissionControl({ now: () => this.now });
  }

  offer(): void {
    if (this.control.enter(BODY)) {
      this.admitted += 1;
      this.queue.push({ at: this.now });
    } else this.refused += 1;
  }

  /** @param perMillisecond pieces offered each millisecond. */
  run(milliseconds: number, perMillisecond: number): this {
    let offered = 0;
    for (let tick = 0; tick < milliseconds; tick += 1) {
      this.now += 1;
      for (offered += perMillisecond; offered >= 1; offered -= 1) this.offer();
      this.done = this.queue.length === 0 ? 0 : this.done + this.rate;
      for (; this.done >= BODY && this.queue.length > 0; this.done -= BODY) {
        this.durations.push(this.now - this.queue.shift()!.at);
        this.control.leave(BODY, true);
      }
    }
    return this;
  }

  get longest(): number {
    return Math.max(...this.durations.splice(0));
  }
}

/** Bytes a millisecond: 200 bodies a second. */
const RATE = BODY / 5;

it.each([
  ['a fast server', RATE * 10],
  ['a usual one', RATE],
  ['a slow one', RATE / 4],
])('admits at four times the load what %s does within a second, and keeps it busy', (_, rate) => {
  const simulation = new Simulation(rate);
  const perMillisecond = (4 * rate) / BODY;
  simulation.run(5_000, perMillisecond);
  simulation.durations.length = 0;
  simulation.run(10_000, perMillisecond);
  const share = (simulation.durations.length * BODY) / (rate * 10_000);
  expect(share).toBeGreaterThan(0.97);
  expect(simulation.longest).toBeLessThan(1_000);
});

it('refuses nobody while there is less to do than can be done', () => {
  const simulation = new Simulation(RATE).run(60_000, (0.8 * RATE) / BODY);
  expect(simulation.refused).toBe(0);
});

it('admits a burst after a quiet time: little to do shows no low rate', () => {
  const simulation = new Simulation(RATE).run(5_000, (2 * RATE) / BODY).run(60_000, (0.02 * RATE) / BODY);
  const { refused } = simulation;
  for (let count = 0; count < 100; count += 1) simulation.offer();
  expect(simulation.refused).toBe(refused);
});

it('follows a server that gets slower, and one that gets faster again', () => {
  const simulation = new Simulation(RATE).run(5_000, (4 * RATE) / BODY);
  simulation.rate = RATE / 4;
  simulation.run(5_000, (4 * RATE) / BODY).durations.length = 0;
  expect(simulation.run(5_000, (4 * RATE) / BODY).longest).toBeLessThan(1_000);
  simulation.rate = RATE;
  simulation.run(3_000, (4 * RATE) / BODY).durations.length = 0;
  expect(simulation.run(5_000, (4 * RATE) / BODY).durations.length).toBeGreaterThan(0.95 * 1_000);
});

it('lowers the rate while there is enough to do, also where it waits to be read', () => {
  let now = 0;
  const control = new AdmissionControl({ initialBytes: 4_000_000, minBytes: 0, now: () => now });
  const { limit } = control;
  const work = (queued: number): void => {
    for (let count = 0; count < 50; count += 1) {
      control.enter(BODY);
      now += 100;
      control.leave(BODY, true, queued);
    }
  };
  work(0);
  expect(control.limit).toBe(limit);
  work(limit);
  expect(control.limit).toBeLessThan(limit / 4);
});

it('admits a large body beside small ones, while less than the limit is under way', () => {
  const control = new AdmissionControl();
  expect([control.enter(50_000), control.enter(5_000_000), control.enter(1)]).toEqual([true, true, false]);
});

it('always admits one, however large and whatever was measured', () => {
  const control = new AdmissionControl();
  expect([control.enter(1e9), control.enter(1)]).toEqual([true, false]);
  control.leave(1e9, false);
  expect(control.enter(1e9)).toBe(true);
});

it('reads no more bodies at a time than it could admit, and forgets those that do not come', () => {
  let now = 0;
  const control = new AdmissionControl({ initialBytes: 1_000_000, minBytes: 0, now: () => now });
  expect([control.expect(600_000), control.expect(400_000), control.expect(1)]).toEqual([true, true, false]);
  now = 101;
  expect(control.expect(600_000)).toBe(true);
  expect([control.enter(600_000), control.expect(400_000), control.expect(1)]).toEqual([true, true, false]);
});
