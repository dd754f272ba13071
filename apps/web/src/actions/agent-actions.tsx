import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { toErrorMessage, type Project } from '../api/client.js';
import { notify } from '../notices/notices.js';
import type { Requests } from '../rules/agent-response.js';
import { Icon } from '../ui/icon.js';
import type { BlockingRule } from './agent-rule.js';
import type { Finding } from './finding.js';
import { useBlockingRule } from './use-blocking-rule.js';
import classes from './actions.module.css';

const ActionMenu = lazy(() => import('./action-menu.js'));

interface AgentActionsProps {
  project: Project;
  /** Returns the finding when the menu opens, because most menus are never opened. */
  loadFinding: () => Promise<Finding>;
  /** Name of the visitor or finding for screen readers. */
  of: string;
  /** Shows only an icon, for lists and tables. */
  isCompact?: boolean;
  /** Adds a button that opens the choice of a rule right away. Viewers don't see it. */
  canBlock?: boolean;
  /** Emphasizes the button that blocks, where it's the main action. */
  isPrimary?: boolean;
  /** Network that the button blocks, named on it. */
  network?: string | undefined;
  /** Text of that button. Default: "Block…", with the network if it's set. */
  blockLabel?: string;
  /** Shows that button instead of a rule that is only in dry run. */
  canBlockInDryRun?: boolean;
  /** Requests that the finding is about. If a rule blocks all of them, shows the rule instead of the button. */
  requests?: readonly Requests[];
  /** Omits the rule, for pages that show it elsewhere. */
  hidesRule?: boolean;
  /** Returns the rule's text. Default: "Blocked" or "Rule in dry run". */
  ruleState?: ((blocking: BlockingRule) => ReactNode) | undefined;
  /** Opens the choice of a blocking rule, or the menu, without a click. */
  opened?: 'block' | 'menu' | undefined;
  onClose?: () => void;
}

const NO_REQUESTS: readonly Requests[] = [];

/** Button that opens a menu of actions for a finding: block, slow down, alert, show visits, copy. */
export function AgentActions({
  project,
  loadFinding,
  of,
  isCompact = false,
  canBlock = false,
  blockLabel,
  canBlockInDryRun = false,
  isPrimary = false,
  network,
  requests = NO_REQUESTS,
  hidesRule = false,
  ruleState,
  opened,
  onClose,
}: AgentActionsProps) {
  const [finding, setFinding] = useState<Finding | null>(null);
  const [startsWithRule, setStartsWithRule] = useState(false);
  const [isLoading, setLoading] = useState(false);
  const blocking = useBlockingRule(project.id, requests);
  const hasBlockButton = canBlock && (blocking === null || (canBlockInDryRun && !blocking.isLive));
  const close = (): void => {
    setFinding(null);
    onClose?.();
  };
  const toggle = async (hasRule: boolean): Promise<void> => {
    if (isLoading) return;
    setStartsWithRule(hasRule);
    if (finding !== null) {
      close();
      return;
    }
    setLoading(true);
    try {
      setFinding(await loadFinding());
    } catch (error) {
      notify({ text: `Couldn’t load the actions for ${of}. ${toErrorMessage(error)}` });
    } finally {
      setLoading(false);
    }
  };
  const openInitially = useEffectEvent(() => void toggle(opened === 'block'));
  useEffect(() => {
    if (opened !== undefined) openInitially();
  }, [opened]);
  return (
    <span className={classes['anchor']}>
      {blocking !== null && !hidesRule && (blocking.isLive || !canBlockInDryRun) && (
        <RuleState projectId={project.id} blocking={blocking} of={of}>
          {ruleState?.(blocking)}
        </RuleState>
      )}
      {hasBlockButton && project.role !== 'viewer' && (
        <button
          type="button"
          className={classes['trigger']}
          data-primary={isPrimary || undefined}
          aria-haspopup="dialog"
          onClick={() => void toggle(true)}
        >
          {blockLabel ??
            (network === undefined ? (
              <>
                Block…<span className="unseen"> {of}</span>
              </>
            ) : (
              `Block ${network}…`
            ))}
        </button>
      )}
      <button
        type="button"
        className={classes['trigger']}
        data-compact={isCompact || undefined}
        aria-haspopup="dialog"
        aria-expanded={finding !== null}
        // A disabled button would lose the focus, which returns to it when the menu closes.
        aria-disabled={isLoading || undefined}
        title={isCompact ? 'Actions' : undefined}
        onClick={() => void toggle(false)}
      >
        {isCompact ? <Icon name="more" size={16} /> : 'Actions'}
        <span className="unseen">
          {isCompact && 'Actions'} for {of}
        </span>
        {!isCompact && <Icon name="chevron" size={14} />}
      </button>
      <Suspense>
        {finding !== null && (
          <ActionMenu
            project={project}
            finding={finding}
            of={of}
            startsWithRule={startsWithRule}
            requests={requests}
            hasBlockButton={hasBlockButton}
            onClose={close}
          />
        )}
      </Suspense>
    </span>
  );
}

interface RuleStateProps {
  projectId: string;
  blocking: BlockingRule;
  of: string;
  children?: ReactNode;
}

const RuleState = ({ projectId, blocking: { rule, isLive }, of, children }: RuleStateProps) => (
  <Link
    to="/projects/$projectId/policy/rules/$ruleId"
    params={{ projectId, ruleId: rule.id }}
    className={classes['rule']!}
    data-live={isLive || undefined}
    title={
      isLive ? `By the rule “${rule.name}”` : `The rule “${rule.name}” would block it, but it’s still in a dry run`
    }
  >
    <Icon name="block" size={14} />
    {children ?? (isLive ? 'Blocked' : 'Rule in dry run')}
    <span className="unseen"> {of}</span>
  </Link>
);
