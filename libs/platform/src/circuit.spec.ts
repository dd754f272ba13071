import { Circuit } from './circuit.js';

it('admits one trial call per second while open, and closes after a success', () => {
  let now = 0;
  const circuit = new Circuit(() => now);
  expect([circuit.isOpen, circuit.admits(), circuit.admits()]).toEqual([false, true, true]);
  circuit.failed();
  expect([circuit.isOpen, circuit.admits()]).toEqual([true, false]);
  now = 1_000;
  expect([circuit.admits(), circuit.admits()]).toEqual([true, false]);
  circuit.failed();
  now = 1_999;
  expect(circuit.admits()).toBe(false);
  now = 2_000;
  expect(circuit.admits()).toBe(true);
  circuit.succeeded();
  expect([circuit.isOpen, circuit.admits(), circuit.admits()]).toEqual([false, true, true]);
});
