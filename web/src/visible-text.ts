// Text of the user as it is shown: characters that hide or turn around what follows are written as their code.
// It must not know where the text stands.

const unseen = /[\p{Cc}\p{Bidi_Control}\u00ad\u200b\u2028\u2029\u2060\ufeff]/gu;

/** `gnp.exe` turned around by U+202E reads as `\u202egnp.exe`. */
export function visibleText(text: string): string {
  return text.replace(unseen, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
