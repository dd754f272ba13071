import { StreamBudget, type BudgetedStream } from './stream-budget.js';

class FakeStream implements BudgetedStream {
  isDisconnected = false;

  constructor(public unsentBytes: number) {}

  disconnect(): void {
    this.isDisconnected = true;
    this.unsentBytes = 0;
  }
}

const createBudget = (maxBytes: number): StreamBudget => Object.assign(new StreamBudget(), { maxBytes });

it('disconnects the slowest streams until the rest fit in the memory budget', async () => {
  const budget = createBudget(100);
  const streams = [30, 60, 10, 50].map((bytes) => new FakeStream(bytes));
  for (const stream of streams) {
    budget.add(stream);
    budget.addWrittenBytes(stream.unsentBytes);
  }
  await budget.enforce();
  expect(streams.map(({ isDisconnected: isCutOff }) => isCutOff)).toEqual([false, true, false, false]);
  expect(budget.unsentBytes).toBe(90);
});

it("doesn't disconnect any stream if the sockets accept all data", async () => {
  const budget = createBudget(100);
  const streams = Array.from({ length: 5 }, () => new FakeStream(50));
  for (const stream of streams) {
    budget.add(stream);
    budget.addWrittenBytes(stream.unsentBytes);
  }
  setImmediate(() => streams.forEach((stream) => (stream.unsentBytes = 0)));
  await budget.enforce();
  expect(streams.filter(({ isDisconnected: isCutOff }) => isCutOff)).toEqual([]);
});

it('ignores streams that have ended when it disconnects slow ones', async () => {
  const budget = createBudget(100);
  const [ended, open] = [new FakeStream(90), new FakeStream(90)];
  const remove = budget.add(ended);
  budget.add(open);
  budget.addWrittenBytes(180);
  remove();
  await budget.enforce();
  expect([open.isDisconnected, budget.unsentBytes]).toEqual([false, 90]);
});
