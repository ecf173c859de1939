//! Walks that look at the user's syntax, in the order of `syn::visit` and by its names.
//!
//! A walk of syn is generic over its visitor, and has a method for each of some two hundred kinds of nodes, so that each visitor has a copy of its own
//! of all of them: a third of what the compiler took to build. Here a visitor is one method that gets a [`Node`], and all share one walk.

macro_rules! walk {
    ($($method:ident: $node:ident,)*) => {
        /// A node that a visitor may stop at.
        pub enum Node<'a> {
            $(
                #[doc = concat!("A `", stringify!($node), "`.")]
                $node(&'a syn::$node),
            )*
        }

        impl<'a> Node<'a> {
            /// Goes on to the node's parts.
            pub fn parts(self, visitor: &mut dyn Visit<'a>) {
                match self {
                    $(Node::$node(node) => $method(visitor, node),)*
                }
            }
        }

        /// What is done at the nodes of a walk.
        pub trait Visit<'a> {
            /// At a node: [`Node::parts`] goes on, and is what a visitor does at the nodes that it does not know.
            fn visit(&mut self, node: Node<'a>);

            $(
                #[doc = concat!("Starts at a `", stringify!($node), "`.")]
                fn $method(&mut self, node: &'a syn::$node)
                where
                    Self: Sized,
                {
                    self.visit(Node::$node(node));
                }
            )*
        }

        $(
            #[doc = concat!("Goes on to the parts of a `", stringify!($node), "`.")]
            pub fn $method<'a>(visitor: &mut dyn Visit<'a>, node: &'a syn::$node) {
                syn::visit::$method(&mut Through(visitor), node);
            }
        )*

        impl<'a> syn::visit::Visit<'a> for Through<'_, 'a> {
            $(
                fn $method(&mut self, node: &'a syn::$node) {
                    self.0.visit(Node::$node(node));
                }
            )*
        }
    };
}

struct Through<'v, 'a>(&'v mut (dyn Visit<'a> + 'v));

// What a visitor may stop at.
walk! {
    visit_arm: Arm,
    visit_block: Block,
    visit_expr: Expr,
    visit_expr_call: ExprCall,
    visit_expr_closure: ExprClosure,
    visit_expr_continue: ExprContinue,
    visit_expr_for_loop: ExprForLoop,
    visit_expr_if: ExprIf,
    visit_expr_index: ExprIndex,
    visit_expr_let: ExprLet,
    visit_expr_loop: ExprLoop,
    visit_expr_method_call: ExprMethodCall,
    visit_expr_path: ExprPath,
    visit_expr_return: ExprReturn,
    visit_expr_struct: ExprStruct,
    visit_expr_unary: ExprUnary,
    visit_expr_while: ExprWhile,
    visit_fields: Fields,
    visit_ident: Ident,
    visit_item: Item,
    visit_item_fn: ItemFn,
    visit_item_impl: ItemImpl,
    visit_label: Label,
    visit_lifetime: Lifetime,
    visit_local: Local,
    visit_local_init: LocalInit,
    visit_macro: Macro,
    visit_pat: Pat,
    visit_pat_ident: PatIdent,
    visit_pat_reference: PatReference,
    visit_pat_struct: PatStruct,
    visit_pat_type: PatType,
    visit_path: Path,
    visit_path_segment: PathSegment,
    visit_receiver: Receiver,
    visit_signature: Signature,
    visit_stmt: Stmt,
    visit_stmt_macro: StmtMacro,
    visit_type: Type,
    visit_type_array: TypeArray,
    visit_type_path: TypePath,
    visit_type_reference: TypeReference,
}
