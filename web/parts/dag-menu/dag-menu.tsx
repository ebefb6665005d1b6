import { useState } from 'preact/hooks'
import { Menu } from '../../controls/menu/menu.tsx'
import { useWriteRefusal } from '../../data/refusal.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'

/** The menu of actions on a DAG. */
export function DagMenu({ fileName }: { readonly fileName: string }) {
  const refusal = useWriteRefusal()
  const [asked, setAsked] = useState<'rename' | 'delete'>()
  const onClose = (): void => setAsked(undefined)
  return (
    <>
      <Menu
        name="More"
        refusal={refusal}
        items={[
          { name: 'Rename…', onPress: () => setAsked('rename') },
          { name: 'Delete…', onPress: () => setAsked('delete') },
        ]}
      />
      {asked === 'rename' && <RenameDialog fileName={fileName} onClose={onClose} />}
      {asked === 'delete' && <DeleteDialog fileName={fileName} onClose={onClose} />}
    </>
  )
}
