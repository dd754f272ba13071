import { Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Annotation } from './annotations.js';
import classes from './chart-notes.module.css';

/** Height in pixels reserved for note marks above a chart's grid. */
export const MARKS_HEIGHT_PX = 18;

const NO_TRANSITION = { duration: 0 };

interface NoteMarkProps {
  annotations: readonly Annotation[];
  /** Horizontal position in the chart. */
  x: number;
}

/** Mark above a chart that shows its annotations in a tooltip. */
export function NoteMark({ annotations, x }: NoteMarkProps) {
  // Uses Popover instead of Tooltip because other pages already load it.
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Popover
      opened={isOpen}
      position="top"
      withRoles={false}
      trapFocus={false}
      closeOnClickOutside={false}
      transitionProps={NO_TRANSITION}
    >
      <Popover.Target>
        <g className={classes['mark']} data-note-mark onMouseEnter={open} onMouseLeave={close}>
          {/* Hover area, larger than the visible mark. */}
          <rect x={x - 9} y={0} width={18} height={MARKS_HEIGHT_PX} fill="none" pointerEvents="all" />
          <path d={`M${x - 5} 4h10v7l-5 4l-5 -4z`} />
        </g>
      </Popover.Target>
      <Popover.Dropdown role="tooltip" maw={280} px="xs" py={4} fz="sm">
        {annotations.map(({ key, text }) => (
          <div key={key}>{text}</div>
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}
