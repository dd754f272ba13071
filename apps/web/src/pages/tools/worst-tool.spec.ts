import { findWorstTool } from './worst-tool.js';

const createTool = (tool: string, errors: number, calls: number) => ({ tool, errors, calls });

it('returns the tool with the highest error rate among those with enough calls', () => {
  const tools = [createTool('search', 3, 60), createTool('track', 2, 18), createTool('stock', 1, 1)];
  expect(findWorstTool(tools)?.tool).toBe('track');
});

it('returns the tool with most errors if none was called often', () => {
  expect(findWorstTool([createTool('a', 1, 1), createTool('b', 2, 4)])?.tool).toBe('b');
  expect(findWorstTool([createTool('a', 0, 100)])).toBeUndefined();
});
