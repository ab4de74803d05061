// The login page as it is written at build: native inputs, no hydration. login-page.ts brings it to
// life once it is read.
import { conformityMention, footLinks } from "#contract/content/legal.ts";
import { paths } from "#contract/paths.ts";
import { texts } from "#contract/texts.ts";
import { Icon } from "#web/ui/icon.tsx";

const Field = ({
  id,
  label,
  children,
}: {
  id: string;
  label: string;
  children: React.ReactNode;
}) => (
  <div className="field">
    <label className="field-label" htmlFor={id}>
      {label}
    </label>
    {children}
  </div>
);

function Form() {
  return (
    <form id="login" className="login-form" method="post" noValidate>
      <output id="said" className="login-said" />
      <h1>Connectez-vous</h1>
      <p id="problem" className="login-problem" role="alert" />
      <Field id="number" label="Numéro de carte">
        <input
          id="number"
          name="login"
          className="input input-number"
          inputMode="numeric"
          autoComplete="username"
          required
        />
      </Field>
      <Field id="password" label="Mot de passe">
        <div className="input-frame">
          <input
            id="password"
            name="password"
            type="password"
            className="input"
            autoComplete="current-password"
            maxLength={128}
            required
          />
          <button
            id="show"
            type="button"
            className="input-end"
            aria-pressed="false"
            aria-label="Afficher le mot de passe"
          >
            <Icon name="eye" />
          </button>
        </div>
      </Field>
      {/* Until the script is there a press would send the form past it, to an address that takes none. */}
      <button
        id="send"
        type="submit"
        className="button"
        data-kind="primary"
        data-wide="true"
        disabled
      >
        <span>Se connecter</span>
      </button>
      <a id="forgot" href={paths.forgotPassword} className="login-forgot">
        {"Mot de passe oublié\u202f?"}
      </a>
      <button
        id="passkey"
        type="button"
        className="button"
        data-kind="secondary"
        data-wide="true"
        hidden
      >
        <Icon name="key" size={20} />
        <span>Utiliser une clé d’accès</span>
      </button>
    </form>
  );
}

/** The specification's page of a lost connection (§2), shown in place of the form. */
const Offline = () => (
  <main id="offline" className="login-offline" hidden>
    <h1 tabIndex={-1}>{texts.offline}</h1>
    <button type="button" className="button" data-kind="alert">
      <Icon name="refresh" size={20} />
      <span>{texts.reload}</span>
    </button>
  </main>
);

/** The body of /login. */
export const page = () => (
  <>
    <Login />
    <Offline />
  </>
);

function Login() {
  return (
    <div id="view" className="login">
      <header className="login-side">
        <p className="login-brand">Ma carte</p>
        <div className="login-card" aria-hidden="true">
          <svg id="motif" viewBox="0 0 856 540" />
          <span id="echo" className="login-number">
            •••• ••• •••
          </span>
        </div>
        <p className="login-line">Votre carte, votre cagnotte, votre quotidien.</p>
      </header>
      <main className="login-main">
        <Form />
        <div id="demo" className="login-demo" hidden />
      </main>
      <footer className="login-foot">
        <a id="conformity" href={paths.accessibility}>
          {conformityMention("none")}
        </a>
        {footLinks.map(({ href, label }) => (
          <a key={href} href={href}>
            {label}
          </a>
        ))}
      </footer>
    </div>
  );
}
