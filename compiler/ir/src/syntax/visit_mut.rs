//! Walks that change the user's syntax, in the order of `syn::visit_mut` and by its names: as [`visit`](super::visit), one for all visitors.

macro_rules! walk {
    ($($method:ident: $node:ident,)*) => {
        /// What is done at the nodes of a walk. A method that is not written goes on to the node's parts.
        pub trait VisitMut: Sized {
            $(
                #[doc = concat!("At a `", stringify!($node), "`.")]
                fn $method(&mut self, node: &mut syn::$node) {
                    $method(self, node);
                }
            )*
        }

        $(
            #[doc = concat!("Goes on to the parts of a `", stringify!($node), "`.")]
            pub fn $method(visitor: &mut impl VisitMut, node: &mut syn::$node) {
                syn::visit_mut::$method(&mut Through(visitor), node);
            }
        )*

        enum Node<'n> {
            $($node(&'n mut syn::$node),)*
        }

        impl<V: VisitMut> Any for V {
            fn at(&mut self, node: Node<'_>) {
                match node {
                    $(Node::$node(node) => self.$method(node),)*
                }
            }
        }

        impl syn::visit_mut::VisitMut for Through<'_> {
            $(
                fn $method(&mut self, node: &mut syn::$node) {
                    self.0.at(Node::$node(node));
                }
            )*
        }
    };
}

/// A visitor of any type.
trait Any {
    fn at(&mut self, node: Node<'_>);
}

struct Through<'v>(&'v mut (dyn Any + 'v));

// What a visitor may stop at.
walk! {
    visit_arm_mut: Arm,
    visit_block_mut: Block,
    visit_expr_call_mut: ExprCall,
    visit_expr_closure_mut: ExprClosure,
    visit_expr_for_loop_mut: ExprForLoop,
    visit_expr_index_mut: ExprIndex,
    visit_expr_mut: Expr,
    visit_field_pat_mut: FieldPat,
    visit_item_mut: Item,
    visit_local_mut: Local,
    visit_macro_mut: Macro,
    visit_pat_ident_mut: PatIdent,
    visit_pat_mut: Pat,
    visit_stmt_mut: Stmt,
    visit_type_mut: Type,
}
