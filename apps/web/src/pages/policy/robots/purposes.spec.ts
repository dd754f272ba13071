import { PURPOSES, readPurposes, setPurpose } from './purposes.js';

const TRAINING = PURPOSES[2];

it('combines both standards and finds contradictions', () => {
  const states = readPurposes({ content_signal: { search: true, ai_train: false }, content_usage: { train_ai: true } });
  expect(states.map(({ isAllowed, isContradictory }) => [isAllowed, isContradictory])).toEqual([
    [true, false],
    [undefined, false],
    [false, true],
  ]);
});

it('sets a purpose in both standards', () => {
  const changed = setPurpose({ content_signal: { search: true, ai_train: false } }, TRAINING, true);
  expect(changed).toEqual({ content_signal: { search: true, ai_train: true }, content_usage: { train_ai: true } });
  expect(setPurpose({ content_signal: { ai_train: false } }, TRAINING, undefined)).toEqual({
    content_signal: {},
    content_usage: {},
  });
});
