import { Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Project } from '../api/client.js';
import { sessionQuery } from '../api/queries.js';
import { notify } from '../notices/notices.js';
import { Dropdown } from '../ui/dropdown.js';
import { Failure } from '../ui/failure.js';
import { Icon, type IconName } from '../ui/icon.js';
import { addAlert, ALERT_CAUSES, createAlertSettings, describeAlert } from './add-alert.js';
import classes from './actions.module.css';
import { toTicket, type Finding } from './finding.js';
import { toAgentTarget, type RuleKind, type RuleTarget } from './finding-rule.js';
import { RuleChoice } from './rule-choice.js';

interface ActionMenuProps {
  project: Project;
  finding: Finding;
  of: string;
  /** Opens with the choice of a rule that blocks the finding's network or agent. */
  startsWithRule: boolean;
  /** True if a button next to the menu blocks the finding's network or agent, or if a rule already does. */
  hidesBlock: boolean;
  onClose: () => void;
}

/** Menu of actions for a finding. Viewers can only show its visits and copy a summary. */
export default function ActionMenu({ project, finding, of, startsWithRule, hidesBlock, onClose }: ActionMenuProps) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const { data: session } = useQuery(sessionQuery);
  const [ticket, setTicket] = useState<string | null>(null);
  const { agent, alertKind, network, userAgentGroup, visits } = finding;
  const target = toAgentTarget(finding);
  const blocked = network === undefined ? target : { network };
  const [rule, setRule] = useState<{ kind: RuleKind; target: RuleTarget } | null>(
    startsWithRule && blocked !== null ? { kind: 'refuse', target: blocked } : null,
  );
  const role = project.role ?? 'owner';
  const alert = useMutation({
    mutationFn: () =>
      addAlert(queryClient, project.id, {
        alert: createAlertSettings(alertKind!, agent?.id ?? null),
        text: `Alert added. It fires when ${describeAlert(alertKind!, agent?.token ?? null)}.`,
      }),
    onSuccess: onClose,
  });
  const copy = async (): Promise<void> => {
    const url = visits === undefined ? null : location.origin + router.buildLocation(visits as never).href;
    const text = toTicket(finding, { project: project.name, url });
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
        <RuleChoice projectId={project.id} {...rule} onDone={onClose} />
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
          {role !== 'viewer' && target !== null && (
            <>
              {(!hidesBlock || network !== undefined) && (
                <Item icon="block" onClick={() => setRule({ kind: 'refuse', target })}>
                  Block…
                </Item>
              )}
              <Item icon="load" onClick={() => setRule({ kind: 'slow_down', target })}>
                Slow down…
              </Item>
            </>
          )}
          {role !== 'viewer' && network !== undefined && !hidesBlock && (
            <Item icon="block" onClick={() => setRule({ kind: 'refuse', target: { network } })}>
              Block {network}…
            </Item>
          )}
          {role === 'owner' && alertKind !== undefined && (
            <Item icon="bell" isDisabled={alert.isPending} onClick={() => alert.mutate()}>
              Alert me {ALERT_CAUSES[alertKind]}
            </Item>
          )}
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
