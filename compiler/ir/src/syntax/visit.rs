//! Walks that look at the user's syntax, in the order of `syn::visit` and by its names.
//!
//! A walk of syn is generic over its visitor, so that each visitor has a copy of its own of what goes through some two hundred kinds of
//! nodes: a third of what this crate took to build. Here all visitors share one walk, which calls them through a `dyn` trait.

macro_rules! walk {
    ($($method:ident: $node:ident,)*) => {
        /// What is done at the nodes of a walk. A method that is not written goes on to the node's parts.
        pub trait Visit<'a>: Sized {
            $(
                #[doc = concat!("At a `", stringify!($node), "`.")]
                fn $method(&mut self, node: &'a syn::$node) {
                    $method(self, node);
                }
            )*
        }

        $(
            #[doc = concat!("Goes on to the parts of a `", stringify!($node), "`.")]
            pub fn $method<'a>(visitor: &mut impl Visit<'a>, node: &'a syn::$node) {
                syn::visit::$method(&mut Through(visitor), node);
            }
        )*

        enum Node<'n> {
            $($node(&'n syn::$node),)*
        }

        impl<'a, V: Visit<'a>> Any<'a> for V {
            fn at(&mut self, node: Node<'a>) {
                match node {
                    $(Node::$node(node) => self.$method(node),)*
                }
            }
        }

        impl<'a> syn::visit::Visit<'a> for Through<'_, 'a> {
            $(
                fn $method(&mut self, node: &'a syn::$node) {
                    self.0.at(Node::$node(node));
                }
            )*
        }
    };
}

/// A visitor of any type.
trait Any<'a> {
    fn at(&mut self, node: Node<'a>);
}

struct Through<'v, 'a>(&'v mut (dyn Any<'a> + 'v));

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
