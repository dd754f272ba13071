import { type Admission, AdmissionControl } from './admission.js';

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
  private readonly queue: { admission: Admission; at: number }[] = [];
  private done = 0;
  readonly control: AdmissionControl;

  constructor(rate: number) {
    this.rate = rate;
    this.control = new AdmissionControl({ now: () => this.now });
  }

  offer(): void {
    const admission = this.control.admit(BODY, 'p');
    if (admission !== null && this.control.start(admission, BODY)) {
      this.admitted += 1;
      this.queue.push({ admission, at: this.now });
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
        const { admission, at } = this.queue.shift()!;
        this.durations.push(this.now - at);
        this.control.end(admission, true);
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
  const work = (): void => {
    for (const admission of Array.from({ length: 50 }, () => admit(control, BODY))) {
      control.start(admission, BODY);
      now += 100;
      control.end(admission, true);
    }
  };
  // Little is there to do at the end, so it shows nothing.
  work();
  expect(control.limit).toBe(limit);
  const queued = admit(control, limit * 0.6);
  work();
  expect(control.limit).toBeLessThan(limit / 4);
  control.abandon(queued);
});

it('learns nothing from clients that send slowly', () => {
  let now = 0;
  const control = new AdmissionControl({ initialBytes: 4_000_000, minBytes: 0, now: () => now });
  const { limit } = control;
  const slow = Array.from({ length: 100 }, () => admit(control, BODY));
  for (const admission of slow) control.expectBody(admission);
  for (const admission of slow) {
    now += 90;
    control.start(admission, BODY);
    control.end(admission, true);
  }
  expect(control.limit).toBe(limit);
});

function admit(control: AdmissionControl, bytes: number, projectId = 'p'): Admission {
  const admission = control.admit(bytes, projectId);
  if (admission === null) throw new Error(`${bytes} bytes are refused`);
  return admission;
}

it('admits a large body beside small ones, while less than the limit is admitted', () => {
  const control = new AdmissionControl();
  expect([control.admit(50_000, 'p'), control.admit(5_000_000, 'p'), control.admit(1, 'p')]).toEqual([
    expect.anything(),
    expect.anything(),
    null,
  ]);
});

it('always admits one, however large and whatever was measured', () => {
  const control = new AdmissionControl();
  const large = admit(control, 1e9);
  expect(control.admit(1, 'p')).toBeNull();
  control.start(large, 1e9);
  control.end(large, false);
  expect(control.admit(1e9, 'p')).not.toBeNull();
});

it('reads no more bodies at a time than it admits, and does not count for long those that do not come', () => {
  let now = 0;
  const control = new AdmissionControl({ initialBytes: 1_000_000, minBytes: 0, now: () => now });
  const missing = admit(control, 1_000_000);
  control.expectBody(missing);
  now = 100;
  expect(control.admit(1, 'p')).toBeNull();
  now = 101;
  const next = admit(control, 1_000_000);
  // It comes all the same, and has to find capacity anew.
  expect(control.start(missing, 1_000_000)).toBe(false);
  control.abandon(next);
  expect(control.start(missing, 1_000_000)).toBe(true);
  expect(control.admit(1, 'p')).toBeNull();
  control.end(missing, true);
  expect(control.admitted).toBe(0);
});

it('gives back what a client announced that goes away, but not while its visits are being stored', () => {
  const control = new AdmissionControl({ initialBytes: 1_000_000, minBytes: 0, now: () => 0 });
  for (const prepare of [() => undefined, (admission: Admission) => control.expectBody(admission)]) {
    const gone = admit(control, 1_000_000);
    prepare(gone);
    expect(control.admit(1, 'p')).toBeNull();
    control.abandon(gone);
    control.abandon(gone);
    expect(control.admitted).toBe(0);
  }
  const working = admit(control, 1_000_000);
  control.start(working, 1_000_000);
  control.abandon(working);
  expect(control.admitted).toBe(1_000_000);
});

it('counts what a body has once it is decoded, for which there has to be capacity', () => {
  const control = new AdmissionControl({ initialBytes: 1_000_000, minBytes: 0, now: () => 0 });
  const [small, other] = [admit(control, 10_000), admit(control, 10_000)];
  expect(control.start(small, 2_000_000)).toBe(true);
  expect(control.start(other, 2_000_000)).toBe(false);
  expect(control.admitted).toBe(2_000_000);
  control.end(small, true);
  expect(control.admitted).toBe(0);
});

it('keeps no other project out for what one announces and does not send', () => {
  let now = 0;
  const control = new AdmissionControl({ initialBytes: 1_000_000, minBytes: 0, now: () => now });
  const announce = (): boolean => {
    const admission = control.admit(5_000_000, 'attacker');
    if (admission !== null) control.expectBody(admission);
    return admission !== null;
  };
  const flood = (): number => Array.from({ length: 1_000 }, announce).filter(Boolean).length;
  expect(flood()).toBe(1);
  expect(control.admitted).toBe(500_000);
  control.abandon(admit(control, 5_000_000, 'other'));
  // Once a body did not come, those of the project count little, and together no more than its share.
  now = 101;
  expect(flood()).toBe(Math.ceil(500_000 / 16_384));
  expect(control.admitted).toBe(500_000);
  expect(control.admit(1, 'attacker')).toBeNull();
  control.abandon(admit(control, 5_000_000, 'other'));
  // Not for good, though.
  now = 202;
  control.abandon(admit(control, 1, 'other'));
  now += 60_000;
  expect(flood()).toBe(1);
});

it('counts a project for late whose clients go away before they have sent what they announced', () => {
  const control = new AdmissionControl({ initialBytes: 1_000_000, minBytes: 0, now: () => 0 });
  const gone = admit(control, 400_000);
  control.expectBody(gone);
  control.abandon(gone);
  const next = admit(control, 400_000);
  control.expectBody(next);
  expect(control.admitted).toBe(16_384);
  // It is done all the same while there is capacity.
  expect(control.start(next, 400_000)).toBe(true);
  expect(control.admitted).toBe(400_000);
});

it('leaves room beside heads that were queued together', () => {
  const control = new AdmissionControl({ initialBytes: 1_000_000, minBytes: 0, now: () => 0 });
  const queued = Array.from({ length: 100 }, () => admit(control, 10_000, 'attacker'));
  expect(control.admit(1, 'other')).toBeNull();
  for (const admission of queued) control.expectBody(admission);
  expect(control.admitted).toBe(500_000);
  expect(control.admit(1, 'other')).not.toBeNull();
});
