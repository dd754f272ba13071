import { Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { alertsQuery } from '../api/alerts.js';
import type { Project } from '../api/client.js';
import { sessionQuery } from '../api/queries.js';
import { notify } from '../notices/notices.js';
import type { Requests } from '../rules/agent-response.js';
import { Dropdown } from '../ui/dropdown.js';
import { Failure } from '../ui/failure.js';
import { Icon, type IconName } from '../ui/icon.js';
import classes from './actions.module.css';
import { formatCondition } from './alert-condition.js';
import { addAlert, ALERT_CAUSES, alertLink, createAlertSettings, describeAlert, findSameAlert } from './add-alert.js';
import { deleteRule } from './add-rule.js';
import type { BlockingRule } from './agent-rule.js';
import { toRequests, toTicket, type BlockChoice, type Finding, type RuleTarget } from './finding.js';
import { isRuleForTarget, toAgentTarget, type RuleKind } from './finding-rule.js';
import { TargetChoice } from './target-choice.js';
import { useBlockingRule } from './use-blocking-rule.js';

interface ActionMenuProps {
  project: Project;
  finding: Finding;
  of: string;
  /** Opens with the choice of a rule that blocks the finding's network or agent. */
  startsWithRule: boolean;
  /** Requests that the finding is about. Default: those of its agent and network. */
  requests: readonly Requests[];
  /** True if a button next to the menu blocks the finding's network or agent. */
  hasBlockButton: boolean;
  onClose: () => void;
}

/** Menu of actions for a finding. Viewers can only show its visits and copy a summary. */
export default function ActionMenu(props: ActionMenuProps) {
  const { project, finding, of, startsWithRule, hasBlockButton, onClose } = props;
  const queryClient = useQueryClient();
  const router = useRouter();
  const { data: session } = useQuery(sessionQuery);
  const [ticket, setTicket] = useState<string | null>(null);
  const { agent, alertKind, network, userAgentGroup, visits } = finding;
  const target = toAgentTarget(finding);
  const blocked = network === undefined ? target : { network };
  const choices: readonly BlockChoice[] =
    finding.blockChoices ?? (blocked === null ? [] : [{ label: of, target: blocked }]);
  const [rule, setRule] = useState<{ kind: RuleKind; choices: readonly BlockChoice[] } | null>(
    startsWithRule && choices.length > 0 ? { kind: 'refuse', choices } : null,
  );
  const chooseRule = (kind: RuleKind, to: RuleTarget): void => setRule({ kind, choices: [{ label: of, target: to }] });
  const blocking = useBlockingRule(project.id, props.requests.length > 0 ? props.requests : [toRequests(finding)]);
  const isRemovable = [target, blocked, ...choices.map((choice) => choice.target)].some(
    (one) => one !== null && blocking !== null && isRuleForTarget(blocking.rule, one),
  );
  const isBlocked = blocking?.isLive === true;
  const role = project.role ?? 'owner';
  const newAlert = alertKind && role === 'owner' ? createAlertSettings(alertKind, agent?.id ?? null) : undefined;
  const { data: list } = useQuery({ ...alertsQuery(project.id), enabled: newAlert !== undefined });
  const alertKindInfo = list?.kinds.find(({ kind }) => kind === newAlert?.kind);
  const existingAlert = newAlert && findSameAlert(list?.alerts ?? [], newAlert);
  const removal = useMutation({
    mutationFn: async ({ rule: removed }: BlockingRule) => {
      const undo = await deleteRule(queryClient, project.id, removed);
      notify({ text: `“${removed.name}” was removed.`, ...(undo !== null && { undo }) });
    },
    onSuccess: onClose,
  });
  const alert = useMutation({
    mutationFn: () =>
      addAlert(queryClient, project.id, {
        alert: newAlert!,
        text: `Alert added. It fires when ${describeAlert(alertKind!, agent?.token ?? null)}.`,
      }),
    onSuccess: onClose,
  });
  const copy = async (): Promise<void> => {
    const url = visits === undefined ? null : location.origin + router.buildLocation(visits as never).href;
    const text = toTicket(finding, { project: project.name, url, now: Date.now() });
    try {
      await navigator.clipboard.writeText(text);
      notify({ text: 'Summary copied to the clipboard.' });
      onClose();
    } catch {
      // Browsers only allow access to the clipboard over HTTPS.
      setTicket(text);
    }
  };
  if (rule !== null) {
    return (
      <Dropdown label={`Add a rule for ${of}`} width={300} onClose={onClose}>
        <TargetChoice project={project} {...rule} finding={finding} onDone={onClose} />
      </Dropdown>
    );
  }
  return (
    <Dropdown label={`Actions for ${of}`} width={ticket === null ? 264 : 320} onClose={onClose}>
      {ticket === null ? (
        <>
          {visits !== undefined && (
            <Link {...visits} className={classes['item']} onClick={onClose}>
              <Icon name="visits" size={16} />
              Show visits
            </Link>
          )}
          {blocking !== null && (
            <Link
              to="/projects/$projectId/policy/rules/$ruleId"
              params={{ projectId: project.id, ruleId: blocking.rule.id }}
              className={classes['item']}
              onClick={onClose}
            >
              <Icon name="policy" size={16} />
              View rule
            </Link>
          )}
          {blocking !== null && isRemovable && role !== 'viewer' && (
            <Item icon="undo" isDisabled={removal.isPending} onClick={() => removal.mutate(blocking)}>
              {isBlocked ? 'Unblock' : 'Remove rule'}
            </Item>
          )}
          {!isBlocked && role !== 'viewer' && target !== null && (
            <>
              {finding.blockChoices === undefined && (!hasBlockButton || network !== undefined) && (
                <Item icon="block" onClick={() => chooseRule('refuse', target)}>
                  Block…
                </Item>
              )}
              <Item icon="load" onClick={() => chooseRule('slow_down', target)}>
                Slow down…
              </Item>
            </>
          )}
          {!isBlocked && role !== 'viewer' && finding.blockChoices !== undefined && !hasBlockButton && (
            <Item icon="block" onClick={() => setRule({ kind: 'refuse', choices })}>
              Block…
            </Item>
          )}
          {!isBlocked &&
            role !== 'viewer' &&
            network !== undefined &&
            finding.blockChoices === undefined &&
            !hasBlockButton && (
              <Item icon="block" onClick={() => chooseRule('refuse', { network })}>
                Block {network}…
              </Item>
            )}
          {newAlert !== undefined &&
            (existingAlert === undefined ? (
              <Item icon="bell" isDisabled={alert.isPending} onClick={() => alert.mutate()}>
                Alert me {ALERT_CAUSES[newAlert.kind]}
                {alertKindInfo !== undefined && (
                  <small>{formatCondition(alertKindInfo, { ...alertKindInfo.defaults, ...newAlert })}</small>
                )}
              </Item>
            ) : (
              <Link {...alertLink(project.id, existingAlert)} className={classes['item']} onClick={onClose}>
                <Icon name="bell" size={16} />
                {existingAlert.state === 'off'
                  ? 'Your alert is paused'
                  : `You’re alerted ${ALERT_CAUSES[newAlert.kind]}`}
              </Link>
            ))}
          {userAgentGroup !== undefined && session?.user?.is_admin && (
            <Link
              to="/catalog"
              search={{ add: true, group: userAgentGroup, project: project.id }}
              className={classes['item']}
              onClick={onClose}
            >
              <Icon name="catalog" size={16} />
              Add to catalog
            </Link>
          )}
          <Item icon="copy" onClick={() => void copy()}>
            Copy for a ticket
          </Item>
          {alert.isError && <Failure error={alert.error} title="Couldn’t add the alert" />}
          {removal.isError && <Failure error={removal.error} title="Couldn’t remove the rule" />}
        </>
      ) : (
        <>
          <Text size="sm" mb="xs">
            The browser doesn’t allow access to the clipboard here. Select the text and copy it.
          </Text>
          <Textarea aria-label="Summary" readOnly autosize minRows={6} value={ticket} data-autofocus />
        </>
      )}
    </Dropdown>
  );
}

interface ItemProps {
  icon: IconName;
  isDisabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}

const Item = ({ icon, isDisabled = false, onClick, children }: ItemProps) => (
  <button type="button" className={classes['item']} disabled={isDisabled} onClick={onClick}>
    <Icon name={icon} size={16} />
    <span>{children}</span>
  </button>
);
