import type { ReactNode } from 'react';
import classes from './agent-mark.module.css';
import { getInitials } from './initials.js';
import { getOperatorColor } from './operator-colors.js';

interface AgentMarkProps {
  /** Agent or operator name. */
  name: string;
  /** Operator name, which determines the color. */
  operator: string | null | undefined;
  /** Color. Default: the operator's. */
  color?: string | undefined;
  /** Width and height in pixels. Default: 20. */
  size?: number;
}

/** Square with initials in the operator's color. Decorative, so always show the name next to it. */
export const AgentMark = ({ name, operator, color, size = 20 }: AgentMarkProps) => (
  <span
    className={classes['mark']}
    aria-hidden="true"
    // Shown with CSS, so that the initials aren't copied or found as text.
    data-initials={getInitials(name)}
    style={{ width: size, height: size, fontSize: size * 0.46, backgroundColor: color ?? getOperatorColor(operator) }}
  />
);

interface MarkedNameProps extends AgentMarkProps {
  /** Name, such as a link, and lines below it. */
  children: ReactNode;
}

/** Name with its mark on the left. */
export const MarkedName = ({ children, ...mark }: MarkedNameProps) => (
  <span className={classes['named']}>
    <AgentMark {...mark} />
    <span className={classes['name']}>{children}</span>
  </span>
);
