import { pageHelp } from '#lib/core/help-pages.ts'
import { Button } from '../../controls/button/button.tsx'
import { Dialog } from '../../controls/dialog/dialog.tsx'
import { Switch } from '../../controls/switch/switch.tsx'
import { useData } from '../../data/page-data.ts'
import { keyTexts } from '../../model/keys.ts'
import { HelpLink } from '../help-link/help-link.tsx'

/** All keys, and the switch for those that are single letters. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const { preferences } = useData()
  const { hasLetters } = preferences
  return (
    <Dialog title="Keys" onClose={onClose}>
      <table class="key-help" aria-label="Keys">
        <tbody>
          {keyTexts.map(([keys, what]) => (
            <tr key={keys}>
              <th scope="row" class="key-help-keys">
                {keys.split(' ').map((key) => (
                  <kbd key={key} class="key-help-key">
                    {key}
                  </kbd>
                ))}
              </th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="key-help-actions">
        <Switch
          name="Keys without Ctrl"
          isOn={hasLetters.value}
          onChange={(isOn) => (hasLetters.value = isOn)}
          isLabelled
        />
        <HelpLink page={pageHelp.start} text="Docs" />
        <Button onPress={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
