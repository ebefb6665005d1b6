import { pageHelp } from '#lib/core/help-pages.ts'
import { useLocation } from 'preact-iso/router'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { useData } from '../../data/page-data.ts'
import { HelpLink } from '../../parts/help-link/help-link.tsx'
import { SignIn } from '../../parts/sign-in/sign-in.tsx'

/** Asks the user to sign in, then shows the page of the address. */
export function LoginPage() {
  const { links } = useData()
  const { path, route } = useLocation()
  const isOwnAddress = path === `${links.base}login`
  return (
    <div class="login-page">
      <PageHead title="Sign in" name="Sign in" />
      <SignIn onDone={() => isOwnAddress && route(links.base, true)} />
      <p>
        <HelpLink page={pageHelp.signIn} text="Who has access, and how" />
      </p>
    </div>
  )
}
