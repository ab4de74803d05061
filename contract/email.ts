// An e-mail address: the one rule that the server refuses by and that a form checks before it sends.
export const emailPattern =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;

/** Whether what was typed is a whole address; blanks around it are none of it. */
export const isEmail = (typed: string): boolean => emailPattern.test(typed.trim());
