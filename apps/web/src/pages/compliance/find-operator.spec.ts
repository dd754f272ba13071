import { findOperator } from './find-operator.js';

const agent = (operator: string | null, disallowed: number, isUserTriggered = false) => ({
  operator_name: operator,
  disallowed,
  is_user_triggered: isUserTriggered,
});

it('returns the operator with the most disallowed visits by all of its crawlers', () => {
  expect(
    findOperator([
      agent(null, 90),
      agent('Meta', 80, true),
      agent('Meta', 40),
      agent('OpenAI', 30),
      agent('OpenAI', 20),
    ]),
  ).toBe('OpenAI');
});

it('returns null if no crawler of a known operator ignored robots.txt', () => {
  expect(findOperator([agent('OpenAI', 0), agent('Meta', 5, true), agent(null, 3)])).toBeNull();
});
