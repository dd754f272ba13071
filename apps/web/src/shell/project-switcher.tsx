import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import type { Project } from '../api/client.js';
import { DemoBadge } from '../ui/demo-badge.js';
import { Icon } from '../ui/icon.js';
import classes from './project-switcher.module.css';

const ProjectMenu = lazy(() => import('./project-menu.js'));

/** Current project, with a menu for opening the same page in another project. */
export function ProjectSwitcher({ project }: { project: Project }) {
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <div className={classes['switcher']}>
      <span className={classes['divider']} aria-hidden="true">
        /
      </span>
      <div className={classes['place']}>
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          size="compact-sm"
          fw={500}
          maw="100%"
          rightSection={<Icon name="chevron" size={14} />}
          title={project.name}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={toggle}
        >
          <span className="unseen">Project: </span>
          <span className={classes['name']}>{project.name}</span>
        </Button>
        <Suspense>{isOpen && <ProjectMenu projectId={project.id} onClose={close} />}</Suspense>
      </div>
      {project.is_demo && <DemoBadge />}
    </div>
  );
}
