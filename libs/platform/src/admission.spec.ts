import { type Admission, AdmissionControl } from './admission.js';

const KIB = 1_024;
const BODY = 30 * KIB;

/** Simulates a server that processes one body after the other at `rate` bytes per millisecond, on a simulated clock. */
class Simulation {
  rate: number;
  now = 0;
  admitted = 0;
  refused = 0;
  /** Duration of each finished body in milliseconds, in order. */
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

/** Bytes per millisecond: 200 bodies per second. */
const RATE = BODY / 5;

it.each([
  ['a fast server', RATE * 10],
  ['a usual one', RATE],
  ['a slow one', RATE / 4],
])('limits the latency of %s to 1 s at four times its capacity, without idle time', (_, rate) => {
  const simulation = new Simulation(rate);
  const perMillisecond = (4 * rate) / BODY;
  simulation.run(5_000, perMillisecond);
  simulation.durations.length = 0;
  simulation.run(10_000, perMillisecond);
  const share = (simulation.durations.length * BODY) / (rate * 10_000);
  expect(share).toBeGreaterThan(0.97);
  expect(simulation.longest).toBeLessThan(1_000);
});

it('refuses nothing while the load is below capacity', () => {
  const simulation = new Simulation(RATE).run(60_000, (0.8 * RATE) / BODY);
  expect(simulation.refused).toBe(0);
});

it('admits a burst after a quiet period: low load does not lower the limit', () => {
  const simulation = new Simulation(RATE).run(5_000, (2 * RATE) / BODY).run(60_000, (0.02 * RATE) / BODY);
  const { refused } = simulation;
  for (let count = 0; count < 100; count += 1) simulation.offer();
  expect(simulation.refused).toBe(refused);
});

it('adapts to a server that slows down and speeds up again', () => {
  const simulation = new Simulation(RATE).run(5_000, (4 * RATE) / BODY);
  simulation.rate = RATE / 4;
  simulation.run(5_000, (4 * RATE) / BODY).durations.length = 0;
  expect(simulation.run(5_000, (4 * RATE) / BODY).longest).toBeLessThan(1_000);
  simulation.rate = RATE;
  simulation.run(3_000, (4 * RATE) / BODY).durations.length = 0;
  expect(simulation.run(5_000, (4 * RATE) / BODY).durations.length).toBeGreaterThan(0.95 * 1_000);
});

it('lowers the limit only while there is enough work, including queued work', () => {
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
  // Less than half of the limit is in progress, so the window doesn't count as busy.
  work();
  expect(control.limit).toBe(limit);
  const queued = admit(control, limit * 0.6);
  work();
  expect(control.limit).toBeLessThan(limit / 4);
  control.abandon(queued);
});

it('does not lower the limit for clients that send slowly', () => {
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

it('admits a large body next to small ones while below the limit', () => {
  const control = new AdmissionControl();
  expect([control.admit(50_000, 'p'), control.admit(5_000_000, 'p'), control.admit(1, 'p')]).toEqual([
    expect.anything(),
    expect.anything(),
    null,
  ]);
});

it('always admits one body, regardless of its size and the measured rate', () => {
  const control = new AdmissionControl();
  const large = admit(control, 1e9);
  expect(control.admit(1, 'p')).toBeNull();
  control.start(large, 1e9);
  control.end(large, false);
  expect(control.admit(1e9, 'p')).not.toBeNull();
});

it('stops counting an expected body that has not arrived after 100 ms', () => {
  let now = 0;
  const control = new AdmissionControl({ initialBytes: 1_000_000, minBytes: 0, now: () => now });
  const missing = admit(control, 1_000_000);
  control.expectBody(missing);
  now = 100;
  expect(control.admit(1, 'p')).toBeNull();
  now = 101;
  const next = admit(control, 1_000_000);
  // The body arrives after all and needs capacity again.
  expect(control.start(missing, 1_000_000)).toBe(false);
  control.abandon(next);
  expect(control.start(missing, 1_000_000)).toBe(true);
  expect(control.admit(1, 'p')).toBeNull();
  control.end(missing, true);
  expect(control.admitted).toBe(0);
});

it('releases the capacity of a disconnected client unless its visits are being stored', () => {
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

it('counts the decoded size of a body and requires capacity for it', () => {
  const control = new AdmissionControl({ initialBytes: 1_000_000, minBytes: 0, now: () => 0 });
  const [small, other] = [admit(control, 10_000), admit(control, 10_000)];
  expect(control.start(small, 2_000_000)).toBe(true);
  expect(control.start(other, 2_000_000)).toBe(false);
  expect(control.admitted).toBe(2_000_000);
  control.end(small, true);
  expect(control.admitted).toBe(0);
});

it('limits the capacity that one project reserves for bodies it never sends', () => {
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
  // After a missing body, the project's bodies count little, and together at most its share.
  now = 101;
  expect(flood()).toBe(Math.ceil(500_000 / 16_384));
  expect(control.admitted).toBe(500_000);
  expect(control.admit(1, 'attacker')).toBeNull();
  control.abandon(admit(control, 5_000_000, 'other'));
  // Late for one minute only.
  now = 202;
  control.abandon(admit(control, 1, 'other'));
  now += 60_000;
  expect(flood()).toBe(1);
});

it('counts a project as late if its client disconnects before sending the announced body', () => {
  const control = new AdmissionControl({ initialBytes: 1_000_000, minBytes: 0, now: () => 0 });
  const gone = admit(control, 400_000);
  control.expectBody(gone);
  control.abandon(gone);
  const next = admit(control, 400_000);
  control.expectBody(next);
  expect(control.admitted).toBe(16_384);
  // The body is processed anyway while capacity is available.
  expect(control.start(next, 400_000)).toBe(true);
  expect(control.admitted).toBe(400_000);
});

it('admits other projects next to requests of one project that were queued together', () => {
  const control = new AdmissionControl({ initialBytes: 1_000_000, minBytes: 0, now: () => 0 });
  const queued = Array.from({ length: 100 }, () => admit(control, 10_000, 'attacker'));
  expect(control.admit(1, 'other')).toBeNull();
  for (const admission of queued) control.expectBody(admission);
  expect(control.admitted).toBe(500_000);
  expect(control.admit(1, 'other')).not.toBeNull();
});
