import { type Admission, AdmissionControl } from './admission.js';

const KIB = 1_024;
const BODY_BYTES = 30 * KIB;

/** Simulates a server that processes one body at a time at `rate` bytes per millisecond. The clock is simulated. */
class Simulation {
  rate: number;
  now = 0;
  admitted = 0;
  rejected = 0;
  /** Durations of finished bodies in milliseconds, in completion order. */
  readonly durations: number[] = [];
  private readonly queue: { admission: Admission; at: number }[] = [];
  private processedBytes = 0;
  readonly control: AdmissionControl;

  constructor(rate: number) {
    this.rate = rate;
    this.control = new AdmissionControl({ now: () => this.now });
  }

  offerRequest(): void {
    const admission = this.control.admit(BODY_BYTES, 'p');
    if (admission !== null && this.control.start(admission, BODY_BYTES)) {
      this.admitted += 1;
      this.queue.push({ admission, at: this.now });
    } else this.rejected += 1;
  }

  run(milliseconds: number, perMillisecond: number): this {
    let pendingRequests = 0;
    for (let tick = 0; tick < milliseconds; tick += 1) {
      this.now += 1;
      for (pendingRequests += perMillisecond; pendingRequests >= 1; pendingRequests -= 1) this.offerRequest();
      this.processedBytes = this.queue.length === 0 ? 0 : this.processedBytes + this.rate;
      for (; this.processedBytes >= BODY_BYTES && this.queue.length > 0; this.processedBytes -= BODY_BYTES) {
        const { admission, at } = this.queue.shift()!;
        this.durations.push(this.now - at);
        this.control.finish(admission, true);
      }
    }
    return this;
  }

  get takeMaxDuration(): number {
    return Math.max(...this.durations.splice(0));
  }
}

/** Bytes per millisecond, equal to 200 bodies per second. */
const TYPICAL_RATE_BYTES_PER_MS = BODY_BYTES / 5;

it.each([
  ['a fast server', TYPICAL_RATE_BYTES_PER_MS * 10],
  ['a typical server', TYPICAL_RATE_BYTES_PER_MS],
  ['a slow server', TYPICAL_RATE_BYTES_PER_MS / 4],
])('AdmissionControl keeps %s fully used and its latency below 1 s at four times its capacity', (_, rate) => {
  const simulation = new Simulation(rate);
  const perMillisecond = (4 * rate) / BODY_BYTES;
  simulation.run(5_000, perMillisecond);
  simulation.durations.length = 0;
  simulation.run(10_000, perMillisecond);
  const utilization = (simulation.durations.length * BODY_BYTES) / (rate * 10_000);
  expect(utilization).toBeGreaterThan(0.97);
  expect(simulation.takeMaxDuration).toBeLessThan(1_000);
});

it('AdmissionControl rejects no requests while the load is below capacity', () => {
  const simulation = new Simulation(TYPICAL_RATE_BYTES_PER_MS).run(
    60_000,
    (0.8 * TYPICAL_RATE_BYTES_PER_MS) / BODY_BYTES,
  );
  expect(simulation.rejected).toBe(0);
});

it('AdmissionControl admits a burst after a quiet period', () => {
  const simulation = new Simulation(TYPICAL_RATE_BYTES_PER_MS)
    .run(5_000, (2 * TYPICAL_RATE_BYTES_PER_MS) / BODY_BYTES)
    .run(60_000, (0.02 * TYPICAL_RATE_BYTES_PER_MS) / BODY_BYTES);
  const { rejected: rejectedBefore } = simulation;
  for (let count = 0; count < 100; count += 1) simulation.offerRequest();
  expect(simulation.rejected).toBe(rejectedBefore);
});

it('AdmissionControl adapts to a server that slows down and recovers', () => {
  const simulation = new Simulation(TYPICAL_RATE_BYTES_PER_MS).run(5_000, (4 * TYPICAL_RATE_BYTES_PER_MS) / BODY_BYTES);
  simulation.rate = TYPICAL_RATE_BYTES_PER_MS / 4;
  simulation.run(5_000, (4 * TYPICAL_RATE_BYTES_PER_MS) / BODY_BYTES).durations.length = 0;
  expect(simulation.run(5_000, (4 * TYPICAL_RATE_BYTES_PER_MS) / BODY_BYTES).takeMaxDuration).toBeLessThan(1_000);
  simulation.rate = TYPICAL_RATE_BYTES_PER_MS;
  simulation.run(3_000, (4 * TYPICAL_RATE_BYTES_PER_MS) / BODY_BYTES).durations.length = 0;
  expect(simulation.run(5_000, (4 * TYPICAL_RATE_BYTES_PER_MS) / BODY_BYTES).durations.length).toBeGreaterThan(
    0.95 * 1_000,
  );
});

it('AdmissionControl lowers the limit only under enough queued and active work', () => {
  let now = 0;
  const control = new AdmissionControl({ initialBytes: 4_000_000, minBytes: 0, now: () => now });
  const { limitBytes: limit } = control;
  const workInSmallBodies = (): void => {
    for (const admission of Array.from({ length: 50 }, () => requireAdmission(control, BODY_BYTES))) {
      control.start(admission, BODY_BYTES);
      now += 100;
      control.finish(admission, true);
    }
  };
  // Less than half of the limit is in use, so the window isn't considered busy.
  workInSmallBodies();
  expect(control.limitBytes).toBe(limit);
  const queued = requireAdmission(control, limit * 0.6);
  workInSmallBodies();
  expect(control.limitBytes).toBeLessThan(limit / 4);
  control.abandon(queued);
});

it("AdmissionControl doesn't lower the limit for slow clients", () => {
  let now = 0;
  const control = new AdmissionControl({ initialBytes: 4_000_000, minBytes: 0, now: () => now });
  const { limitBytes: limit } = control;
  const slowAdmissions = Array.from({ length: 100 }, () => requireAdmission(control, BODY_BYTES));
  for (const admission of slowAdmissions) control.expectBody(admission);
  for (const admission of slowAdmissions) {
    now += 90;
    control.start(admission, BODY_BYTES);
    control.finish(admission, true);
  }
  expect(control.limitBytes).toBe(limit);
});

function requireAdmission(control: AdmissionControl, bytes: number, projectId = 'p'): Admission {
  const admission = control.admit(bytes, projectId);
  if (admission === null) throw new Error(`${bytes} bytes were rejected`);
  return admission;
}

it('AdmissionControl admits a large body alongside small ones while below the limit', () => {
  const control = new AdmissionControl();
  expect([control.admit(50_000, 'p'), control.admit(5_000_000, 'p'), control.admit(1, 'p')]).toEqual([
    expect.anything(),
    expect.anything(),
    null,
  ]);
});

it('AdmissionControl always admits one body, regardless of its size and the measured rate', () => {
  const control = new AdmissionControl();
  const largeAdmission = requireAdmission(control, 1e9);
  expect(control.admit(1, 'p')).toBeNull();
  control.start(largeAdmission, 1e9);
  control.finish(largeAdmission, false);
  expect(control.admit(1e9, 'p')).not.toBeNull();
});

it("AdmissionControl stops counting a body that hasn't arrived within 100 ms", () => {
  let now = 0;
  const control = new AdmissionControl({ initialBytes: 1_000_000, minBytes: 0, now: () => now });
  const lateAdmission = requireAdmission(control, 1_000_000);
  control.expectBody(lateAdmission);
  now = 100;
  expect(control.admit(1, 'p')).toBeNull();
  now = 101;
  const nextAdmission = requireAdmission(control, 1_000_000);
  // The late body arrives and needs capacity again.
  expect(control.start(lateAdmission, 1_000_000)).toBe(false);
  control.abandon(nextAdmission);
  expect(control.start(lateAdmission, 1_000_000)).toBe(true);
  expect(control.admit(1, 'p')).toBeNull();
  control.finish(lateAdmission, true);
  expect(control.admittedBytes).toBe(0);
});

it("AdmissionControl releases a disconnected client's capacity unless its visits are being stored", () => {
  const control = new AdmissionControl({ initialBytes: 1_000_000, minBytes: 0, now: () => 0 });
  for (const prepare of [() => undefined, (admission: Admission) => control.expectBody(admission)]) {
    const disconnected = requireAdmission(control, 1_000_000);
    prepare(disconnected);
    expect(control.admit(1, 'p')).toBeNull();
    control.abandon(disconnected);
    control.abandon(disconnected);
    expect(control.admittedBytes).toBe(0);
  }
  const startedAdmission = requireAdmission(control, 1_000_000);
  control.start(startedAdmission, 1_000_000);
  control.abandon(startedAdmission);
  expect(control.admittedBytes).toBe(1_000_000);
});

it('AdmissionControl requires capacity for the decoded body size', () => {
  const control = new AdmissionControl({ initialBytes: 1_000_000, minBytes: 0, now: () => 0 });
  const [smallAdmission, otherAdmission] = [requireAdmission(control, 10_000), requireAdmission(control, 10_000)];
  expect(control.start(smallAdmission, 2_000_000)).toBe(true);
  expect(control.start(otherAdmission, 2_000_000)).toBe(false);
  expect(control.admittedBytes).toBe(2_000_000);
  control.finish(smallAdmission, true);
  expect(control.admittedBytes).toBe(0);
});

it("AdmissionControl limits the capacity that one project can reserve for bodies that haven't arrived", () => {
  let now = 0;
  const control = new AdmissionControl({ initialBytes: 1_000_000, minBytes: 0, now: () => now });
  const announceBody = (): boolean => {
    const admission = control.admit(5_000_000, 'attacker');
    if (admission !== null) control.expectBody(admission);
    return admission !== null;
  };
  const announceMany = (): number => Array.from({ length: 1_000 }, announceBody).filter(Boolean).length;
  expect(announceMany()).toBe(1);
  expect(control.admittedBytes).toBe(500_000);
  control.abandon(requireAdmission(control, 5_000_000, 'other'));
  // Once a body hasn't arrived in time, each of the project's bodies only reserves a little capacity. Together, they
  // reserve at most the project's share.
  now = 101;
  expect(announceMany()).toBe(Math.ceil(500_000 / 16_384));
  expect(control.admittedBytes).toBe(500_000);
  expect(control.admit(1, 'attacker')).toBeNull();
  control.abandon(requireAdmission(control, 5_000_000, 'other'));
  // The project only counts as late for one minute.
  now = 202;
  control.abandon(requireAdmission(control, 1, 'other'));
  now += 60_000;
  expect(announceMany()).toBe(1);
});

it('AdmissionControl marks a project as late if its client disconnects before sending the body', () => {
  const control = new AdmissionControl({ initialBytes: 1_000_000, minBytes: 0, now: () => 0 });
  const disconnected = requireAdmission(control, 400_000);
  control.expectBody(disconnected);
  control.abandon(disconnected);
  const nextAdmission = requireAdmission(control, 400_000);
  control.expectBody(nextAdmission);
  expect(control.admittedBytes).toBe(16_384);
  // The body is still processed while capacity is available.
  expect(control.start(nextAdmission, 400_000)).toBe(true);
  expect(control.admittedBytes).toBe(400_000);
});

it("AdmissionControl admits other projects alongside one project's queued requests", () => {
  const control = new AdmissionControl({ initialBytes: 1_000_000, minBytes: 0, now: () => 0 });
  const queued = Array.from({ length: 100 }, () => requireAdmission(control, 10_000, 'attacker'));
  expect(control.admit(1, 'other')).toBeNull();
  for (const admission of queued) control.expectBody(admission);
  expect(control.admittedBytes).toBe(500_000);
  expect(control.admit(1, 'other')).not.toBeNull();
});
