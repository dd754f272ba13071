import { Kbd, Modal, Table } from '@mantine/core';
import { useReturnFocus } from '../ui/return-focus.js';
import { FIND_KEYS } from './find-keys.js';

const KEYS: [keys: string[], what: string][] = [
  [['?'], 'This help'],
  [[FIND_KEYS], 'Find pages, projects, agents, settings and visits'],
  [['/'], 'Filter'],
  [['p'], 'Pause or resume'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['Enter'], 'Open row'],
  [['Esc'], 'Close, or leave a field'],
];

export default function KeyboardHelp({ onClose }: { onClose: () => void }) {
  useReturnFocus();
  return (
    <Modal opened onClose={onClose} title="Keys" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Table>
        <Table.Tbody>
          {KEYS.map(([keys, what]) => (
            <Table.Tr key={what}>
              <Table.Td w={90}>
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </Table.Td>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
