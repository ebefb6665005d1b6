import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { useData } from '../../data/page-data.ts'
import { Failure } from '../load-state/load-state.tsx'

/** Asks for a password, or for a key or token. @param onDone called when somebody has signed in */
export function SignIn({ onDone }: { readonly onDone: () => void }) {
  const { session } = useData()
  const form = useRef<HTMLFormElement>(null)
  const [withToken, setWithToken] = useState(false)
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<Error>()
  useEffect(() => form.current?.querySelector('input')?.focus(), [withToken])

  async function signIn(fields: FormData): Promise<void> {
    if (isPending) return
    setPending(true)
    setError(undefined)
    const of = (name: string): string => {
      const value = fields.get(name)
      return typeof value === 'string' ? value : ''
    }
    try {
      await session.signIn(
        withToken ? { token: of('token').trim() } : { username: of('username'), password: of('password') },
      )
      onDone()
    } catch (thrown) {
      setError(thrown as Error)
      setPending(false)
      form.current?.querySelector<HTMLInputElement>('input[type=password]')?.select()
    }
  }
  return (
    <form
      ref={form}
      class="sign-in"
      onSubmit={(event) => {
        event.preventDefault()
        void signIn(new FormData(event.currentTarget))
      }}
    >
      {withToken ? (
        <Field label="Token" name="token" autocomplete="off" isSecret />
      ) : (
        <>
          <Field label="User" name="username" autocomplete="username" />
          <Field label="Password" name="password" autocomplete="current-password" isSecret />
        </>
      )}
      {error !== undefined && <Failure error={error} what="Not signed in" />}
      <div class="sign-in-actions">
        <Button type="submit" isMain isPending={isPending} onPress={() => undefined}>
          Sign in
        </Button>
        <Button onPress={() => setWithToken(!withToken)}>
          {withToken ? 'Use a password' : 'Use a token'}
        </Button>
      </div>
    </form>
  )
}

interface FieldProps {
  readonly label: string
  readonly name: string
  readonly autocomplete: 'username' | 'current-password' | 'off'
  readonly isSecret?: boolean
}

function Field({ label, name, autocomplete, isSecret = false }: FieldProps) {
  return (
    <label key={name} class="sign-in-field">
      {label}
      <input
        class="sign-in-value"
        name={name}
        {...(isSecret ? { type: 'password' as const } : {})}
        autocomplete={autocomplete}
        autocapitalize="none"
        spellcheck={false}
        required
      />
    </label>
  )
}
