/** An example DAG, for users without DAGs. */
export interface Example {
  readonly name: string
  readonly about: string
  readonly spec: string
}

/** The examples need only a shell, and end within seconds. */
export const examples: readonly Example[] = [
  {
    name: 'example-greeting',
    about: 'A param, a step that keeps what it prints, and a step that uses both',
    spec: `description: Greets somebody, and counts the letters of the name
params:
  - NAME: world
steps:
  - name: count
    command: printf '%s' "$NAME" | wc -c
    output: LETTERS
  - name: greet
    command: echo "Hello $NAME, your name has $LETTERS letters"
`,
  },
  {
    name: 'example-parallel',
    about: 'Three steps at the same time, and one that waits for all of them',
    spec: `description: Asks three shops for a price at the same time, then finds the lowest
type: graph
steps:
  - name: corner shop
    command: sleep 1; echo 12
    output: CORNER
  - name: market
    command: sleep 2; echo 9
    output: MARKET
  - name: mill
    command: sleep 3; echo 10
    output: MILL
  - name: lowest
    depends: [corner shop, market, mill]
    command: printf '%s\\n' "$CORNER" "$MARKET" "$MILL" | sort -n | head -n 1
`,
  },
  {
    name: 'example-failure',
    about: 'A step that fails: see why, start it again with another param, or retry it',
    spec: `description: Checks an amount; starts with one that is wrong
params:
  - AMOUNT: twelve
steps:
  - name: read
    command: echo "the amount is $AMOUNT"
  - name: check
    script: |
      case "$AMOUNT" in
        ''|*[!0-9]*) echo "not a number: $AMOUNT" >&2; exit 1 ;;
      esac
      echo "$AMOUNT is fine"
  - name: book
    command: echo "booked $AMOUNT"
handlerOn:
  failure:
    command: echo "somebody should look at this"
`,
  },
]
