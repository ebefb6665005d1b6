import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { useData } from '../../data/page-data.ts'
import { Failure } from '../../parts/load-state/load-state.tsx'

/** Asks who somebody is. The page of the address is shown afterwards. */
export function LoginPage() {
  const { session, cache, links } = useData()
  const { path, route } = useLocation()
  const user = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<Error>()
  const isOwnAddress = path === `${links.base}login`
  useEffect(() => user.current?.focus(), [])

  async function signIn(): Promise<void> {
    if (isPending) return
    setPending(true)
    setError(undefined)
    try {
      await session.signIn(user.current?.value ?? '', password.current?.value ?? '')
      await cache.invalidateQueries()
      if (isOwnAddress) route(links.base, true)
    } catch (thrown) {
      setError(thrown as Error)
      setPending(false)
      password.current?.select()
    }
  }
  return (
    <div class="login-page">
      <PageHead title="Sign in" name="Sign in" />
      <form
        class="login-page-form"
        onSubmit={(event) => {
          event.preventDefault()
          void signIn()
        }}
      >
        <label class="login-page-field">
          User
          <input ref={user} class="login-page-value" name="username" autocomplete="username" required />
        </label>
        <label class="login-page-field">
          Password
          <input
            ref={password}
            class="login-page-value"
            name="password"
            type="password"
            autocomplete="current-password"
            required
          />
        </label>
        {error !== undefined && <Failure error={error} what="Not signed in" />}
        <Button type="submit" isMain isPending={isPending} onPress={() => undefined}>
          Sign in
        </Button>
      </form>
    </div>
  )
}
