// Under `require-trusted-types-for 'script'` the page lets a script URL pass where it is its own origin's.
// It must not know which scripts there are.

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown;
}

export function trustOwnScripts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => {
      if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`a foreign script: ${url}`);
      return url;
    },
  });
}
