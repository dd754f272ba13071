import { CircuitBreaker } from './circuit.js';

it('CircuitBreaker admits one trial call per second while open and closes after a success', () => {
  let now = 0;
  const circuit = new CircuitBreaker(() => now);
  expect([circuit.isOpen, circuit.tryAcquire(), circuit.tryAcquire()]).toEqual([false, true, true]);
  circuit.recordFailure();
  expect([circuit.isOpen, circuit.tryAcquire()]).toEqual([true, false]);
  now = 1_000;
  expect([circuit.tryAcquire(), circuit.tryAcquire()]).toEqual([true, false]);
  circuit.recordFailure();
  now = 1_999;
  expect(circuit.tryAcquire()).toBe(false);
  now = 2_000;
  expect(circuit.tryAcquire()).toBe(true);
  circuit.recordSuccess();
  expect([circuit.isOpen, circuit.tryAcquire(), circuit.tryAcquire()]).toEqual([false, true, true]);
});
