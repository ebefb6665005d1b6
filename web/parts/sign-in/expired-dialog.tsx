import { Button } from '../../controls/button/button.tsx'
import { Dialog } from '../../controls/dialog/dialog.tsx'
import { useData } from '../../data/page-data.ts'
import { SignIn } from './sign-in.tsx'

/** Asks the user to sign in again when a session has expired. Pending calls continue afterwards. */
export function ExpiredDialog() {
  const { session, said } = useData()
  return (
    <Dialog title="Sign in again" isKept onClose={() => undefined}>
      <p>Your session has ended. The page keeps what you typed.</p>
      <SignIn onDone={() => (said.value = 'you are signed in again')} />
      <Button onPress={() => void session.signOut()}>Leave the page</Button>
    </Dialog>
  )
}
