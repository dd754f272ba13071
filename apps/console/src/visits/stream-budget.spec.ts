import { StreamBudget, type BudgetedStream } from './stream-budget.js';

class Stream implements BudgetedStream {
  isCutOff = false;

  constructor(public unsentBytes: number) {}

  cutOff(): void {
    this.isCutOff = true;
    this.unsentBytes = 0;
  }
}

const budgetOf = (maxBytes: number): StreamBudget => Object.assign(new StreamBudget(), { maxBytes });

it('cuts off the slowest streams until the others fit the budget', async () => {
  const budget = budgetOf(100);
  const streams = [30, 60, 10, 50].map((bytes) => new Stream(bytes));
  for (const stream of streams) {
    budget.add(stream);
    budget.wrote(stream.unsentBytes);
  }
  await budget.settle();
  expect(streams.map(({ isCutOff }) => isCutOff)).toEqual([false, true, false, false]);
  expect(budget.unsentBytes).toBe(90);
});

it('cuts off no stream if the sockets accept all data', async () => {
  const budget = budgetOf(100);
  const streams = Array.from({ length: 5 }, () => new Stream(50));
  for (const stream of streams) {
    budget.add(stream);
    budget.wrote(stream.unsentBytes);
  }
  setImmediate(() => streams.forEach((stream) => (stream.unsentBytes = 0)));
  await budget.settle();
  expect(streams.filter(({ isCutOff }) => isCutOff)).toEqual([]);
});

it('ignores streams that have ended', async () => {
  const budget = budgetOf(100);
  const [ended, open] = [new Stream(90), new Stream(90)];
  const remove = budget.add(ended);
  budget.add(open);
  budget.wrote(180);
  remove();
  await budget.settle();
  expect([open.isCutOff, budget.unsentBytes]).toEqual([false, 90]);
});
