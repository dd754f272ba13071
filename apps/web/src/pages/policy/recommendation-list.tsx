import { Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { PolicyRule } from '../../api/policy.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import verdict from '../../ui/verdict.module.css';
import classes from './policy.module.css';
import type { Recommendation } from './recommendations.js';

interface RecommendationListProps {
  projectId: string;
  recommendations: readonly Recommendation[];
  /** Compares the replayed requests of a rule with the recorded ones. */
  compare: (rule: PolicyRule) => string | null;
  /** Undefined for people who can't change rules. */
  onGoLive: ((rule: PolicyRule) => void) | undefined;
}

/** Rules in dry run, and which of them to put live. */
export const RecommendationList = ({ projectId, recommendations, compare, onGoLive }: RecommendationListProps) => (
  <Section title="Rules in dry run">
    <ul className={classes['recommendations']}>
      {recommendations.map(({ rule, action, reason }) => {
        const effect = {
          params: { projectId, ruleId: rule.id },
          to: '/projects/$projectId/policy/rules/$ruleId',
        } as const;
        const isReady = action === 'go live';
        return (
          <li key={rule.id}>
            <div className={classes['content']}>
              <Group gap="xs">
                <TextLink {...effect} fw={500} size="sm">
                  {rule.name}
                </TextLink>
                {isReady ? (
                  <span className={verdict['verdict']} data-result="verified">
                    <Icon name="check" size={15} />
                    Ready to go live
                  </span>
                ) : (
                  <Text span size="sm" c="dimmed">
                    Keep watching
                  </Text>
                )}
              </Group>
              <Text size="sm" c="dimmed">
                {reason} {compare(rule)}
              </Text>
            </div>
            {isReady && onGoLive !== undefined ? (
              <Button size="compact-sm" onClick={() => onGoLive(rule)}>
                Go live<span className="unseen"> with {rule.name}</span>
              </Button>
            ) : (
              <Button
                size="compact-sm"
                variant="default"
                renderRoot={(props: object) => <Link {...props} {...effect} />}
              >
                See the effect<span className="unseen"> of {rule.name}</span>
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  </Section>
);
