/** The type of syntax nodes that all readers of types share. */
import type { Node } from "typescript/unstable/ast"

/** A node with the members of nodes of several kinds. `kind` tells which of them it has. */
export interface SyntaxNode extends Node {
  readonly parent: SyntaxNode
  readonly text?: string
  readonly argumentExpression?: SyntaxNode
  readonly block?: SyntaxNode
  readonly body?: SyntaxNode
  readonly caseBlock?: SyntaxNode
  readonly catchClause?: SyntaxNode
  readonly condition?: SyntaxNode
  readonly constraint?: SyntaxNode
  readonly declarationList?: SyntaxNode
  readonly dotDotDotToken?: SyntaxNode
  readonly elementType?: SyntaxNode
  readonly elseStatement?: SyntaxNode
  readonly expression?: SyntaxNode
  readonly finallyBlock?: SyntaxNode
  readonly initializer?: SyntaxNode
  readonly left?: SyntaxNode
  readonly literal?: SyntaxNode
  readonly name?: SyntaxNode
  readonly nameType?: SyntaxNode
  readonly operand?: SyntaxNode
  readonly operatorToken?: SyntaxNode
  readonly propertyName?: SyntaxNode
  readonly questionToken?: SyntaxNode
  readonly right?: SyntaxNode
  readonly thenStatement?: SyntaxNode
  readonly tryBlock?: SyntaxNode
  readonly type?: SyntaxNode
  readonly typeName?: SyntaxNode
  readonly typeParameter?: SyntaxNode
  readonly variableDeclaration?: SyntaxNode
  readonly whenFalse?: SyntaxNode
  readonly whenTrue?: SyntaxNode
  readonly arguments?: readonly SyntaxNode[]
  readonly clauses?: readonly SyntaxNode[]
  readonly declarations?: readonly SyntaxNode[]
  readonly elements?: readonly SyntaxNode[]
  readonly heritageClauses?: readonly SyntaxNode[]
  readonly members?: readonly SyntaxNode[]
  readonly modifiers?: readonly SyntaxNode[]
  readonly parameters?: readonly SyntaxNode[]
  readonly properties?: readonly SyntaxNode[]
  readonly statements?: readonly SyntaxNode[]
  readonly typeArguments?: readonly SyntaxNode[]
  readonly typeParameters?: readonly SyntaxNode[]
  readonly types?: readonly SyntaxNode[]
}
