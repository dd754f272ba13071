import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { policyCountsQuery, type PolicyRule } from '../../api/policy.js';
import classes from './policy.module.css';
import { RuleItem } from './rule-item.js';
import { moveItem, useDrag } from './use-drag.js';

interface RuleListProps {
  projectId: string;
  rules: readonly PolicyRule[];
  isReader: boolean;
  onChange: (rules: PolicyRule[]) => void;
  onEdit: (rule: PolicyRule) => void;
}

/** Rules in order. Members can reorder them with the pointer or with buttons. */
export function RuleList({ projectId, rules, isReader, onChange, onEdit }: RuleListProps) {
  const { data: counted } = useQuery(policyCountsQuery(projectId));
  const list = useRef<HTMLOListElement>(null);
  // Button to focus after a move. Browsers drop the focus of elements that move within the document.
  const moved = useRef<HTMLElement | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const move = (from: number, to: number): void => {
    onChange(moveItem(rules, from, to));
    setAnnouncement(`${rules[from]!.name} is now rule ${to + 1} of ${rules.length}.`);
  };
  const { dragged, handle } = useDrag(list, move);
  useEffect(() => {
    moved.current?.focus();
    moved.current = null;
  }, [rules]);
  return (
    <>
      <ol className={classes['rules']} ref={list}>
        {rules.map((rule, index) => (
          <RuleItem
            key={rule.id}
            projectId={projectId}
            rule={rule}
            position={[index, rules.length]}
            counts={counted?.counts ?? []}
            isReader={isReader}
            isDragged={dragged === index}
            handle={handle(index)}
            onMove={(to) => {
              moved.current = document.activeElement as HTMLElement | null;
              move(index, to);
            }}
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
