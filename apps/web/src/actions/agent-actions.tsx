import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { toErrorMessage, type Project } from '../api/client.js';
import { notify } from '../notices/notices.js';
import { Icon } from '../ui/icon.js';
import type { Finding } from './finding.js';
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
  /** True if a rule blocks the agent already, so the menu doesn't offer it. */
  isBlocked?: boolean;
  /** Opens the choice of a blocking rule, or the menu, without a click. */
  opened?: 'block' | 'menu' | undefined;
  onClose?: () => void;
}

/** Button that opens a menu of actions for a finding: block, slow down, alert, show visits, copy. */
export function AgentActions({
  project,
  loadFinding,
  of,
  isCompact = false,
  canBlock = false,
  isBlocked = false,
  opened,
  onClose,
}: AgentActionsProps) {
  const [finding, setFinding] = useState<Finding | null>(null);
  const [startsWithRule, setStartsWithRule] = useState(false);
  const [isLoading, setLoading] = useState(false);
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
      {canBlock && !isBlocked && project.role !== 'viewer' && (
        <button type="button" className={classes['trigger']} aria-haspopup="dialog" onClick={() => void toggle(true)}>
          Block…<span className="unseen"> {of}</span>
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
            hidesBlock={canBlock || isBlocked}
            onClose={close}
          />
        )}
      </Suspense>
    </span>
  );
}
