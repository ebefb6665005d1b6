export declare function splitEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  fd: number,
): { readonly shown: Record<string, string>; readonly line: string }

export declare function receiveEnvironment(): void
