import { Kbd, Modal, Table } from '@mantine/core';
import '@mantine/core/styles/Table.css';
import { useReturnFocus } from '../ui/use-return-focus.js';
import { FIND_SHORTCUT } from './find-shortcut.js';

const SHORTCUTS: [keys: string[], what: string][] = [
  [['?'], 'Show keyboard shortcuts'],
  [[FIND_SHORTCUT], 'Find pages, projects, agents, settings and visits'],
  [['/'], 'Go to the filter field'],
  [['p'], 'Pause or resume live visits'],
  [['j'], 'Next row or visit'],
  [['k'], 'Previous row or visit'],
  [['Enter'], 'Open row'],
  [['Esc'], 'Close a dialog or leave a field'],
];

export default function KeyboardHelp({ onClose }: { onClose: () => void }) {
  useReturnFocus();
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Table>
        <Table.Tbody>
          {SHORTCUTS.map(([keys, description]) => (
            <Table.Tr key={description}>
              <Table.Td w={90}>
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </Table.Td>
              <Table.Td>{description}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
