import { Loader, Text } from '@mantine/core';
import type { TestVisit } from '../../api/client.js';
import { Icon } from '../../ui/icon.js';
import classes from './test-steps.module.css';
import { stepsOf, type StepState } from './test-steps.js';

/** Names of the states, for screen readers. */
const WORDS: Record<StepState, string> = { done: 'done', running: 'in progress', failed: 'failed', open: 'pending' };

/** Steps of a test visit. Icons and hidden text show their states, not only colors. */
export function TestSteps({ test }: { test: TestVisit }) {
  return (
    <ol className={classes['steps']} aria-label="Steps of the test visit">
      {stepsOf(test).map(({ name, state }, index) => (
        <li key={index} className={classes['step']} data-state={state}>
          <span className={classes['mark']}>
            {state === 'running' ? (
              <Loader size={14} aria-hidden />
            ) : state === 'open' ? (
              <span aria-hidden="true">{index + 1}</span>
            ) : (
              <Icon name={state === 'done' ? 'check' : 'failed'} size={15} />
            )}
          </span>
          <div>
            <Text size="sm" component="span">
              {name}
              <span className="unseen"> ({WORDS[state]})</span>
            </Text>
            {index === 0 && test.url !== null && (
              <Text size="xs" c="dimmed">
                {test.url}
              </Text>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
