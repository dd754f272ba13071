import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Project } from '../api/client.js';
import type { PolicyRule } from '../api/policy.js';

const RuleDrawer = lazy(() => import('./rule-drawer.js'));

interface GoLiveButtonProps {
  project: Project;
  rule: PolicyRule;
  /** Emphasizes the button, where it's the main action. */
  isPrimary?: boolean;
}

/** Button that opens the confirmation for taking a rule out of its dry run. Viewers don't see it. */
export function GoLiveButton({ project, rule, isPrimary = false }: GoLiveButtonProps) {
  const [isOpen, setOpen] = useState(false);
  if (project.role === 'viewer') return null;
  return (
    <>
      <Button
        size="compact-sm"
        h={28}
        flex="none"
        variant={isPrimary ? 'filled' : 'default'}
        onClick={() => setOpen(true)}
      >
        Go live<span className="unseen"> with {rule.name}</span>
      </Button>
      <Suspense>
        {isOpen && <RuleDrawer project={project} rule={rule} isGoingLive onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
