import { randomUUID } from 'node:crypto';
import type { PolicyException, PolicyRule } from '#libs/contracts';
import { CliError, EXIT } from '../cli-error.js';

type ExceptionInput = Omit<PolicyException, 'id'> & Partial<Pick<PolicyException, 'id'>>;
type RuleInput = Omit<PolicyRule, 'id' | 'mode' | 'exceptions'> &
  Partial<Pick<PolicyRule, 'id' | 'mode'>> & { exceptions?: ExceptionInput[] };

/**
 * Returns the rules in a policy file, which the instance validates.
 *
 * @throws {CliError} if the file contains neither rules nor an object with `rules`.
 */
export function parsePolicyFile(content: unknown, file: string): RuleInput[] {
  const rules: unknown =
    typeof content === 'object' && content !== null && 'rules' in content ? content.rules : content;
  if (!Array.isArray(rules) || rules.some((rule) => typeof rule !== 'object' || rule === null)) {
    throw new CliError(`${file} doesn't contain rules.`, {
      exitCode: EXIT.usage,
      hint: 'It must contain {"rules": […]}. To see an example, run `agent-traffic policy show --json`.',
    });
  }
  return rules as RuleInput[];
}

/**
 * Adds IDs and modes. A rule without an ID has that of the current rule with the same name, so its counts continue.
 * Without a mode, current rules keep theirs, and new ones start in dry run.
 */
export function completeRules(rules: readonly RuleInput[], current: readonly PolicyRule[]): PolicyRule[] {
  return rules.map((rule) => {
    const former = current.find(({ id, name }) => (rule.id === undefined ? name === rule.name : id === rule.id));
    const { exceptions } = rule;
    return {
      ...rule,
      id: rule.id ?? former?.id ?? randomUUID(),
      mode: rule.mode ?? former?.mode ?? 'dry_run',
      ...(Array.isArray(exceptions) && {
        exceptions: exceptions.map((exception, index) => ({
          ...exception,
          id: exception.id ?? former?.exceptions?.[index]?.id ?? randomUUID(),
        })),
      }),
    } as PolicyRule;
  });
}
