import { useRef, useState } from 'react';
import type { PolicyRule, RuleCount } from '../../api/policy.js';
import classes from './policy.module.css';
import { RuleItem } from './rule-item.js';
import { moveItem, useDrag } from './use-drag.js';

interface RuleListProps {
  projectId: string;
  rules: readonly PolicyRule[];
  counts: readonly RuleCount[];
  /** Returns true for rules that were just added. */
  isNew: (rule: PolicyRule) => boolean;
  /** Returns true for rules that have a page. */
  isPublished: (rule: PolicyRule) => boolean;
  isReader: boolean;
  onChange: (rules: PolicyRule[]) => void;
  onEdit: (rule: PolicyRule) => void;
}

/** Rules in order. Members can reorder them with the pointer or the menu. */
export function RuleList(props: RuleListProps) {
  const { projectId, rules, counts, isNew, isPublished, isReader, onChange, onEdit } = props;
  const list = useRef<HTMLOListElement>(null);
  const [announcement, setAnnouncement] = useState('');
  const move = (from: number, to: number): void => {
    onChange(moveItem(rules, from, to));
    setAnnouncement(`${rules[from]!.name} is now rule ${to + 1} of ${rules.length}.`);
  };
  const { dragged, handle } = useDrag(list, move);
  return (
    <>
      <ol className={classes['rules']} ref={list}>
        {rules.map((rule, index) => (
          <RuleItem
            key={rule.id}
            projectId={projectId}
            rule={rule}
            position={[index, rules.length]}
            counts={counts}
            isNew={isNew(rule)}
            isPublished={isPublished(rule)}
            isReader={isReader}
            isDragged={dragged === index}
            handle={handle(index)}
            onMove={(to) => move(index, to)}
            onMode={(mode) => onChange(rules.map((one) => (one.id === rule.id ? { ...one, mode } : one)))}
            onEdit={() => onEdit(rule)}
            onDelete={() => onChange(rules.filter(({ id }) => id !== rule.id))}
          />
        ))}
      </ol>
      <div className="unseen" role="status">
        {announcement}
      </div>
    </>
  );
}
