import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import type { BlockChoice } from './finding.js';
import { RuleChoice, type RuleChoiceProps } from './rule-choice.js';

interface TargetChoiceProps extends Omit<RuleChoiceProps, 'target'> {
  /** Requests that the rule can apply to, best choice first. */
  choices: readonly BlockChoice[];
}

/** Lets users choose the requests that a new rule applies to, if there are several choices, and its mode. */
export function TargetChoice({ choices, ...props }: TargetChoiceProps) {
  const [index, setIndex] = useState(0);
  const { target } = choices[index]!;
  return (
    <>
      {choices.length > 1 && (
        <Radio.Group
          aria-label="Requests to block"
          value={String(index)}
          onChange={(value) => setIndex(Number(value))}
          p={4}
        >
          <Stack gap={6}>
            {choices.map(({ label }, choice) => (
              <Radio key={label} size="sm" value={String(choice)} label={label} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <RuleChoice {...props} target={target} />
    </>
  );
}
