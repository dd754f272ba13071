import { Loader, Text } from '@mantine/core';
import type { TestVisit } from '../../api/client.js';
import { Icon } from '../../ui/icon.js';
import classes from './test-steps.module.css';
import { getSteps, type StepState } from './test-steps.js';

/** State names for screen readers. */
const STATE_LABELS: Record<StepState, string> = {
  done: 'done',
  running: 'in progress',
  failed: 'failed',
  open: 'pending',
};

/** Lists a test visit's steps. Icons and hidden text convey each state, so color isn't the only cue. */
export function TestSteps({ test }: { test: TestVisit }) {
  return (
    <ol className={classes['steps']} aria-label="Test visit steps">
      {getSteps(test).map(({ name, state }, index) => (
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
              <span className="unseen"> ({STATE_LABELS[state]})</span>
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
