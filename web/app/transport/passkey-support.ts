/** Whether this browser can use passkeys here: a protected page, under a name. */
export const passkeysWork = (): boolean =>
  isSecureContext &&
  "PublicKeyCredential" in globalThis &&
  !/^(\d+\.){3}\d+$|^\[/.test(location.hostname);
